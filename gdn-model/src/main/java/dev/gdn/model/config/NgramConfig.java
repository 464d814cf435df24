package dev.gdn.model.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An embedding of the last two tokens, the last three, and so on, that some layers add to the
 * residual streams. Every n-gram is hashed by several heads into tables of their own, which stand
 * one below the other; the sizes of tables are successive primes.
 *
 * @param longest tokens of the longest n-gram, at least 2
 * @param headsPerLength hashes of an n-gram, at least 1
 * @param smallestTable least rows of a table
 * @param rowMultiple rows of all tables together are filled up to a multiple of it
 * @param parts tensors that the tables are cut into
 * @param width of the embedding of all heads together, a multiple of their number
 * @param convolutionWidth taps of the convolution, which lie {@code longest} tokens apart
 * @param seed of the hashes
 * @param endToken stands for tokens before the text, and ends what an n-gram reaches back to
 * @param layers that have one, from 0, rising
 */
public record NgramConfig(
    int longest,
    int headsPerLength,
    int smallestTable,
    int rowMultiple,
    int parts,
    int width,
    int convolutionWidth,
    long seed,
    int endToken,
    List<Integer> layers) {
  /** Most tokens of an n-gram. */
  public static final int MAXIMUM_LONGEST = 16;

  /** About the most rows of all tables of a layer. */
  public static final int MAXIMUM_ROWS = 1 << 30;

  /** Most heads of all lengths together. */
  public static final int MAXIMUM_HEADS = 1 << 10;

  private static final int MOST_TABLES = 1 << 12;

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public NgramConfig {
    layers = List.copyOf(layers);
    Sizes.positive("n-gram heads", headsPerLength);
    Sizes.positive("n-gram table", smallestTable);
    Sizes.positive("n-gram row multiple", rowMultiple);
    Sizes.positive("n-gram parts", parts);
    Sizes.positive("n-gram width", width);
    Sizes.positive("n-gram convolution", convolutionWidth);
    Sizes.product(
        "n-gram table", smallestTable, "heads", heads(longest, headsPerLength), MAXIMUM_ROWS);
    if (longest < 2 || longest > MAXIMUM_LONGEST) {
      throw new IllegalArgumentException(
          "n-gram: expected a length of 2 to %d, found %d".formatted(MAXIMUM_LONGEST, longest));
    }
    Sizes.product("n-gram lengths", longest - 1, "heads", headsPerLength, MAXIMUM_HEADS);
    Sizes.product(
        "n-gram layers", layers.size(), "heads", heads(longest, headsPerLength), MOST_TABLES);
    Sizes.multiple("n-gram width", width, "heads", heads(longest, headsPerLength));
  }

  /** Hashes of a token: those of all lengths. */
  public int heads() {
    return heads(longest, headsPerLength);
  }

  private static int heads(int longest, int headsPerLength) {
    return (longest - 1) * headsPerLength;
  }

  /** Width of one head's rows. */
  public int headWidth() {
    return width / heads();
  }

  /**
   * Rows of each head's table in a layer: the primes from {@code smallestTable} on, the first ones
   * in the first layer that has n-grams.
   *
   * @param layer one of {@link #layers()}
   */
  public int[] tableSizes(int layer) {
    int before = layers.indexOf(layer) * heads();
    List<Integer> sizes = new ArrayList<>();
    int prime = smallestTable - 1;
    for (int i = 0; i < before + heads(); i++) {
      prime = nextPrime(prime);
      if (i >= before) {
        sizes.add(prime);
      }
    }
    return sizes.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Rows of all tables of a layer, those that fill them up included. */
  public long rows(int layer) {
    long sum = Arrays.stream(tableSizes(layer)).asLongStream().sum();
    return Math.ceilDiv(sum, rowMultiple) * rowMultiple;
  }

  private static int nextPrime(int after) {
    int candidate = Math.addExact(after, 1);
    while (!isPrime(candidate)) {
      candidate = Math.addExact(candidate, 1);
    }
    return candidate;
  }

  private static boolean isPrime(int value) {
    if (value < 4) {
      return value >= 2;
    }
    for (int divisor = 2; (long) divisor * divisor <= value; divisor++) {
      if (value % divisor == 0) {
        return false;
      }
    }
    return true;
  }
}
