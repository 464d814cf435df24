package dev.gdn.core.batch;

import dev.gdn.core.tensor.Rows;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What a run of tokens, a shard of a longer sequence, does to any state that it begins with: S ← M
 * S diag(c) + B, for each value head. The summaries of shards that follow one another compose to
 * that of all of them, so that shards can be summarised apart from each other, on other threads or
 * machines, before the state that each begins with is known.
 *
 * <p>M is the product of the tokens' (I − β k kᵀ) diag(e^(g+gk)), c of their e^gv, and B is the
 * state that the shard makes of zeros. Betas per value channel have no one M, and cannot be
 * summarised for the delta rule. The arrays are not copied.
 *
 * @param heads value heads, at least 1
 * @param keyWidth K, at least 1
 * @param valueWidth V, at least 1
 * @param transition M, {@code [HV, K, K]}
 * @param valueDecays c, {@code [HV, V]}
 * @param state B, {@code [HV, K, V]}
 */
public record ShardSummary(
    int heads,
    int keyWidth,
    int valueWidth,
    float[] transition,
    float[] valueDecays,
    float[] state) {
  // "GDNS", and the version of what follows it.
  private static final int MAGIC = 0x47444e53;
  private static final int VERSION = 2;
  private static final int HEADER = 5 * Integer.BYTES;
  // A CRC-32C of all before it.
  private static final int TRAILER = Integer.BYTES;

  /**
   * @throws IllegalArgumentException if an array has not as many values as the sizes say
   */
  public ShardSummary {
    if (heads < 1 || keyWidth < 1 || valueWidth < 1) {
      throw new IllegalArgumentException(
          "shard summary: expected sizes of at least 1, found %d heads of %d x %d"
              .formatted(heads, keyWidth, valueWidth));
    }
    check("transition", transition, (double) heads * keyWidth * keyWidth);
    check("decays", valueDecays, (double) heads * valueWidth);
    check("state", state, (double) heads * keyWidth * valueWidth);
  }

  private static void check(String what, float[] values, double expected) {
    if (values.length != expected) {
      throw new IllegalArgumentException(
          "shard summary, %s: expected %.0f values, found %d"
              .formatted(what, expected, values.length));
    }
  }

  /** That of no tokens. */
  static ShardSummary identity(int heads, int keyWidth, int valueWidth) {
    float[] transition = new float[heads * keyWidth * keyWidth];
    for (int h = 0; h < heads; h++) {
      for (int i = 0; i < keyWidth; i++) {
        transition[(h * keyWidth + i) * keyWidth + i] = 1;
      }
    }
    float[] decays = new float[heads * valueWidth];
    Arrays.fill(decays, 1);
    float[] state = new float[heads * keyWidth * valueWidth];
    return new ShardSummary(heads, keyWidth, valueWidth, transition, decays, state);
  }

  /**
   * The summary of this shard and the one that follows it.
   *
   * @throws IllegalArgumentException if they differ in a size
   */
  public ShardSummary then(ShardSummary next) {
    if (next.heads != heads || next.keyWidth != keyWidth || next.valueWidth != valueWidth) {
      throw new IllegalArgumentException(
          "next shard: expected %d heads of %d x %d, found %d of %d x %d"
              .formatted(heads, keyWidth, valueWidth, next.heads, next.keyWidth, next.valueWidth));
    }
    float[] decays = valueDecays.clone();
    Rows.multiply(next.valueDecays, 0, decays, 0, decays.length);
    float[] product = new float[transition.length];
    next.multiply(transition, keyWidth, product);
    return new ShardSummary(heads, keyWidth, valueWidth, product, decays, next.apply(state));
  }

  /**
   * The state after the shard.
   *
   * @param before {@code [HV, K, V]}, left as it is
   * @throws IllegalArgumentException if it has not as many values
   */
  public float[] apply(float[] before) {
    check("state before", before, state.length);
    float[] after = new float[before.length];
    multiply(before, valueWidth, after);
    for (int row = 0; row < heads * keyWidth; row++) {
      Rows.multiply(valueDecays, row / keyWidth * valueWidth, after, row * valueWidth, valueWidth);
    }
    Rows.addScaled(1, state, 0, after, 0, state.length);
    return after;
  }

  // M x for each head, x and the product being [HV, K, width].
  private void multiply(float[] x, int width, float[] product) {
    for (int row = 0; row < heads * keyWidth; row++) {
      int head = row / keyWidth * keyWidth;
      for (int i = 0; i < keyWidth; i++) {
        float factor = transition[row * keyWidth + i];
        Rows.addScaled(factor, x, (head + i) * width, product, row * width, width);
      }
    }
  }

  /**
   * The summary as bytes, for another process or machine.
   *
   * @throws IllegalArgumentException if they are more than an array holds
   */
  public byte[] toBytes() {
    long size = HEADER + Float.BYTES * values(heads, keyWidth, valueWidth) + TRAILER;
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "shard summary: %d bytes do not fit an array".formatted(size));
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(MAGIC).putInt(VERSION).putInt(heads).putInt(keyWidth).putInt(valueWidth);
    for (float[] values : new float[][] {transition, valueDecays, state}) {
      bytes.asFloatBuffer().put(values);
      bytes.position(bytes.position() + values.length * Float.BYTES);
    }
    return bytes.putInt(checksum(bytes.array())).array();
  }

  private static int checksum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, bytes.length - TRAILER);
    return (int) sum.getValue();
  }

  private static long values(long heads, long keyWidth, long valueWidth) {
    return heads * (keyWidth * keyWidth + valueWidth + keyWidth * valueWidth);
  }

  /**
   * What {@link #toBytes} has written.
   *
   * @throws IllegalArgumentException saying what was found where something else was expected
   */
  public static ShardSummary fromBytes(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.length < HEADER + TRAILER) {
      throw new IllegalArgumentException(
          "shard summary: expected at least %d bytes, found %d"
              .formatted(HEADER + TRAILER, bytes.length));
    }
    int magic = in.getInt();
    if (magic != MAGIC) {
      throw new IllegalArgumentException(
          "shard summary: expected 0x%08x in the first four bytes, found 0x%08x"
              .formatted(MAGIC, magic));
    }
    int version = in.getInt();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "shard summary: expected version %d, found %d".formatted(VERSION, version));
    }
    int heads = in.getInt();
    int keyWidth = in.getInt();
    int valueWidth = in.getInt();
    long most = bytes.length;
    // Each size is compared before they are multiplied: the product may overflow.
    boolean small = heads > 0 && keyWidth > 0 && valueWidth > 0;
    small &= heads <= most && keyWidth <= most && valueWidth <= most;
    small = small && (double) heads * keyWidth * (keyWidth + (double) valueWidth) <= most;
    long expected =
        small ? HEADER + Float.BYTES * values(heads, keyWidth, valueWidth) + TRAILER : -1;
    if (expected != bytes.length) {
      throw new IllegalArgumentException(
          "shard summary of %d heads of %d x %d: expected %s bytes, found %d"
              .formatted(heads, keyWidth, valueWidth, small ? expected : "many more", most));
    }
    int stored = in.getInt(bytes.length - TRAILER);
    if (stored != checksum(bytes)) {
      throw new IllegalArgumentException(
          "shard summary: expected the checksum 0x%08x, found 0x%08x: the bytes are damaged"
              .formatted(stored, checksum(bytes)));
    }
    return new ShardSummary(
        heads,
        keyWidth,
        valueWidth,
        floats("transition", in, heads * keyWidth * keyWidth),
        floats("decays", in, heads * valueWidth),
        floats("state", in, heads * keyWidth * valueWidth));
  }

  private static float[] floats(String what, ByteBuffer in, int count) {
    float[] values = new float[count];
    in.asFloatBuffer().get(values);
    in.position(in.position() + count * Float.BYTES);
    for (int i = 0; i < count; i++) {
      if (!Float.isFinite(values[i])) {
        throw new IllegalArgumentException(
            "shard summary, %s: expected finite values, found %s at element %d"
                .formatted(what, values[i], i));
      }
    }
    return values;
  }
}
