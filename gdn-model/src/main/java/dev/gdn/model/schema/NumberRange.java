package dev.gdn.model.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a grammar of the numbers between two limits, written without exponents: digit by digit, as
 * far as a number and a limit have the same digits.
 */
final class NumberRange {
  /** A limit of a range. */
  record Limit(BigDecimal value, boolean exclusive) {}

  private static final BigInteger LARGEST =
      BigInteger.TEN.pow(Nodes.DIGITS).subtract(BigInteger.ONE);
  private static final Node ANY = new Node.Repeat(Nodes.one(Nodes.DIGIT), 0, Nodes.DIGITS);
  private static final Node ANY_FRACTION =
      Nodes.choice(
          Node.EMPTY,
          Nodes.sequence(
              Nodes.text("."), new Node.Repeat(Nodes.one(Nodes.DIGIT), 1, Nodes.DIGITS)));

  private final boolean whole;
  private final List<Node> options = new ArrayList<>();

  private NumberRange(boolean whole) {
    this.whole = whole;
  }

  /**
   * The numbers of a range.
   *
   * @param whole whether they are integers
   * @param low null for none
   * @param high null for none
   * @return null if no number of up to {@value Nodes#DIGITS} digits is in it
   */
  static Node of(boolean whole, Limit low, Limit high) {
    NumberRange range = new NumberRange(whole);
    Limit zero = new Limit(BigDecimal.ZERO, false);
    if (high == null || high.value.signum() >= 0) {
      range.add("", low == null || low.value.signum() < 0 ? zero : low, high);
    }
    if (low == null || low.value.signum() < 0) {
      Limit least = high == null || high.value.signum() >= 0 ? zero : negated(high);
      // Zero has no sign.
      range.add(
          "-",
          least.value.signum() == 0 ? new Limit(BigDecimal.ZERO, true) : least,
          low == null ? null : negated(low));
    }
    return range.options.isEmpty() ? null : new Node.Choice(range.options);
  }

  private static Limit negated(Limit limit) {
    return new Limit(limit.value.negate(), limit.exclusive);
  }

  // Both limits are at least 0.
  private void add(String sign, Limit low, Limit high) {
    BigInteger first = low.value.toBigInteger();
    BigInteger last = high == null ? LARGEST : high.value.toBigInteger().min(LARGEST);
    String above = digits(low.value);
    String below =
        high == null || last.compareTo(high.value.toBigInteger()) < 0 ? null : digits(high.value);
    List<Node> found = new ArrayList<>();
    if (whole) {
      boolean over = low.exclusive || !above.isEmpty();
      boolean under = below != null && below.isEmpty() && high.exclusive;
      integers(
          over ? first.add(BigInteger.ONE) : first,
          under ? last.subtract(BigInteger.ONE) : last,
          found);
    } else if (first.equals(last) && below != null) {
      between(first, above, low.exclusive, below, high.exclusive, found);
    } else if (first.compareTo(last) <= 0) {
      found.add(Nodes.sequence(Nodes.text(first.toString()), fractionFrom(above, low.exclusive)));
      BigInteger end = below == null ? last : last.subtract(BigInteger.ONE);
      List<Node> inner = new ArrayList<>();
      integers(first.add(BigInteger.ONE), end, inner);
      inner.forEach(n -> found.add(Nodes.sequence(n, ANY_FRACTION)));
      if (below != null && !(below.isEmpty() && high.exclusive)) {
        found.add(Nodes.sequence(Nodes.text(last.toString()), fractionTo(below, high.exclusive)));
      }
    }
    found.forEach(
        node -> options.add(Nodes.sequence(sign.isEmpty() ? Node.EMPTY : Nodes.text(sign), node)));
  }

  /** Digits behind the point, without zeros at the end. */
  private static String digits(BigDecimal value) {
    BigDecimal rest = value.subtract(value.setScale(0, RoundingMode.DOWN)).stripTrailingZeros();
    return rest.signum() == 0 ? "" : rest.toPlainString().substring(2);
  }

  /** Numbers that have the same digits before the point as both limits. */
  private static void between(
      BigInteger before,
      String low,
      boolean lowExclusive,
      String high,
      boolean highExclusive,
      List<Node> found) {
    int length = Math.max(low.length(), high.length());
    String from = low + "0".repeat(length - low.length());
    String to = high + "0".repeat(length - high.length());
    int order = from.compareTo(to);
    if (order > 0 || order == 0 && (lowExclusive || highExclusive)) {
      return;
    }
    String start = before + (length > 0 ? "." : "");
    if (order == 0) {
      found.add(Nodes.text(start + from));
      return;
    }
    int same = 0;
    while (from.charAt(same) == to.charAt(same)) {
      same++;
    }
    Node head = Nodes.text(start + from.substring(0, same));
    char a = from.charAt(same);
    char b = to.charAt(same);
    if (low.isEmpty() && !lowExclusive) {
      found.add(Nodes.text(before.toString()));
    }
    found.add(Nodes.sequence(head, Nodes.text("" + a), atLeast(from, same + 1, lowExclusive)));
    if (b - a > 1) {
      found.add(Nodes.sequence(head, Nodes.one(ByteSet.range(a + 1, b - 1)), ANY));
    }
    if (!(isZero(to, same + 1) && highExclusive)) {
      found.add(Nodes.sequence(head, Nodes.text("" + b), atMost(to, same + 1, highExclusive)));
    }
  }

  private static Node fractionFrom(String digits, boolean exclusive) {
    Node fraction = Nodes.sequence(Nodes.text("."), atLeast(digits, 0, exclusive));
    Node some = Nodes.sequence(Nodes.text("."), Nodes.one(Nodes.DIGIT), ANY);
    if (digits.isEmpty()) {
      return exclusive ? fraction : Nodes.choice(Node.EMPTY, some);
    }
    return fraction;
  }

  private static Node fractionTo(String digits, boolean exclusive) {
    if (digits.isEmpty()) {
      return Node.EMPTY;
    }
    List<Node> first = new ArrayList<>();
    atMostFrom(digits, 0, exclusive, first);
    return Nodes.choice(Node.EMPTY, Nodes.sequence(Nodes.text("."), new Node.Choice(first)));
  }

  /** Digits from a place on that are at least those of a limit. */
  private static Node atLeast(String digits, int at, boolean exclusive) {
    if (at == digits.length()) {
      return exclusive
          ? Nodes.sequence(
              new Node.Repeat(Nodes.text("0"), 0, Nodes.DIGITS),
              Nodes.one(ByteSet.range('1', '9')),
              ANY)
          : ANY;
    }
    List<Node> options = new ArrayList<>();
    char digit = digits.charAt(at);
    if (digit < '9') {
      options.add(Nodes.sequence(Nodes.one(ByteSet.range(digit + 1, '9')), ANY));
    }
    if (isZero(digits, at) && !exclusive) {
      options.add(Node.EMPTY);
    }
    options.add(Nodes.sequence(Nodes.text("" + digit), atLeast(digits, at + 1, exclusive)));
    return new Node.Choice(options);
  }

  /** Digits from a place on, or none, that are at most those of a limit. */
  private static Node atMost(String digits, int at, boolean exclusive) {
    List<Node> options = new ArrayList<>();
    if (!(exclusive && isZero(digits, at))) {
      options.add(Node.EMPTY);
    }
    atMostFrom(digits, at, exclusive, options);
    return new Node.Choice(options);
  }

  private static void atMostFrom(String digits, int at, boolean exclusive, List<Node> options) {
    if (at == digits.length()) {
      return;
    }
    char digit = digits.charAt(at);
    if (digit > '0') {
      options.add(Nodes.sequence(Nodes.one(ByteSet.range('0', digit - 1)), ANY));
    }
    if (!(exclusive && isZero(digits, at + 1) && at + 1 >= digits.length())) {
      options.add(Nodes.sequence(Nodes.text("" + digit), atMost(digits, at + 1, exclusive)));
    }
  }

  private static boolean isZero(String digits, int from) {
    return digits.substring(from).chars().allMatch(c -> c == '0');
  }

  /** Integers from first, at least 0, to last. */
  private static void integers(BigInteger first, BigInteger last, List<Node> found) {
    BigInteger from = first;
    while (from.compareTo(last) <= 0) {
      BigInteger most = BigInteger.TEN.pow(from.toString().length()).subtract(BigInteger.ONE);
      BigInteger to = most.min(last);
      found.add(sameLength(from.toString(), to.toString()));
      from = to.add(BigInteger.ONE);
    }
  }

  private static Node sameLength(String from, String to) {
    if (from.isEmpty()) {
      return Node.EMPTY;
    }
    int rest = from.length() - 1;
    boolean lowest = from.substring(1).equals("0".repeat(rest));
    boolean highest = to.substring(1).equals("9".repeat(rest));
    char a = from.charAt(0);
    char b = to.charAt(0);
    if (a == b) {
      return Nodes.sequence(Nodes.text("" + a), sameLength(from.substring(1), to.substring(1)));
    }
    List<Node> options = new ArrayList<>();
    if (!lowest) {
      options.add(
          Nodes.sequence(Nodes.text("" + a), sameLength(from.substring(1), "9".repeat(rest))));
    }
    char free = (char) (lowest ? a : a + 1);
    char end = (char) (highest ? b : b - 1);
    if (free <= end) {
      options.add(
          Nodes.sequence(
              Nodes.one(ByteSet.range(free, end)),
              new Node.Repeat(Nodes.one(Nodes.DIGIT), rest, rest)));
    }
    if (!highest) {
      options.add(
          Nodes.sequence(Nodes.text("" + b), sameLength("0".repeat(rest), to.substring(1))));
    }
    return new Node.Choice(options);
  }
}
