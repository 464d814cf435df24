package dev.gdn.bench;

import dev.gdn.core.concurrent.Workers;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.function.DoubleSupplier;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * What the machine can do at this moment, so that a figure can be given as a share of it. Each
 * method takes a twentieth of a second once compiled.
 */
final class MachineLimits {
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  // Short loops, called often, so that C2 compiles whole calls and not only a loop in progress.
  private static final int STEPS = 1_000;
  private static final int CALLS = 50;
  private static final int STEP_ADDITIONS = 12;
  // Long enough that moments which the host leaves alone are among it.
  private static final long MEASURED_NANOS = 50_000_000L;
  private static final long PART = 256 << 10;
  private static final long CALM_NANOS = 1_000_000_000L;
  private static final long MOST_WARM_UP_NANOS = 20_000_000_000L;

  private static volatile float kept;
  private static volatile float factor = 0.999f;
  private static volatile float addend = 1e-9f;

  private final Workers workers;

  MachineLimits(Workers workers) {
    this.workers = workers;
  }

  /** Gives the compiler the time it needs: until a second has brought nothing faster. */
  void warmUp(MemorySegment data) {
    warmUp(this::multiplyAdditionsPerNanosecond);
    warmUp(() -> bytesReadPerNanosecond(data));
  }

  /** Likewise for multiply-additions alone. */
  void warmUp() {
    warmUp(this::multiplyAdditionsPerNanosecond);
  }

  private static void warmUp(DoubleSupplier speed) {
    long start = System.nanoTime();
    long now = start;
    long changed = start;
    double best = 0;
    while (now - changed < CALM_NANOS && now - start < MOST_WARM_UP_NANOS) {
      double measured = speed.getAsDouble();
      now = System.nanoTime();
      if (measured > 1.1 * best) {
        best = measured;
        changed = now;
      }
    }
  }

  /** Float32 multiply-additions per nanosecond of all workers together. */
  double multiplyAdditionsPerNanosecond() {
    double additions =
        (double) CALLS * STEPS * STEP_ADDITIONS * FLOATS.length() * workers.threads();
    return additions / shortest(workers.threads(), (part, worker) -> multiplyAdd());
  }

  /** Bytes that all workers together read per nanosecond. */
  double bytesReadPerNanosecond(MemorySegment data) {
    int parts = Math.toIntExact(data.byteSize() / PART);
    double bytes = (double) parts * PART;
    return bytes / shortest(parts, (part, worker) -> kept = read(data, part * PART));
  }

  private long shortest(int parts, Workers.Task task) {
    long shortest = Long.MAX_VALUE;
    long begin = System.nanoTime();
    long end;
    do {
      long start = System.nanoTime();
      workers.run(parts, task);
      end = System.nanoTime();
      shortest = Math.min(shortest, end - start);
    } while (end - begin < MEASURED_NANOS);
    return shortest;
  }

  private static void multiplyAdd() {
    for (int i = 0; i < CALLS; i++) {
      kept = multiplyAdd(STEPS, factor, addend);
    }
  }

  // Twelve independent sums: more than the multipliers have stages, fewer than there are registers.
  // The class of what leaves the loop is named, or C2 may keep the sums on the heap. What is
  // multiplied is no constant, for C2 may load constants anew for each operation.
  private static float multiplyAdd(int steps, float x, float y) {
    FloatVector a = FloatVector.broadcast(FLOATS, x);
    FloatVector b = FloatVector.broadcast(FLOATS, y);
    FloatVector s0 = b;
    FloatVector s1 = b;
    FloatVector s2 = b;
    FloatVector s3 = b;
    FloatVector s4 = b;
    FloatVector s5 = b;
    FloatVector s6 = b;
    FloatVector s7 = b;
    FloatVector s8 = b;
    FloatVector s9 = b;
    FloatVector s10 = b;
    FloatVector s11 = b;
    for (int i = 0; i < steps; i++) {
      s0 = a.fma(b, s0);
      s1 = a.fma(b, s1);
      s2 = a.fma(b, s2);
      s3 = a.fma(b, s3);
      s4 = a.fma(b, s4);
      s5 = a.fma(b, s5);
      s6 = a.fma(b, s6);
      s7 = a.fma(b, s7);
      s8 = a.fma(b, s8);
      s9 = a.fma(b, s9);
      s10 = a.fma(b, s10);
      s11 = a.fma(b, s11);
    }
    FloatVector left = s0.add(s1).add(s2).add(s3).add(s4).add(s5);
    FloatVector right = s6.add(s7).add(s8).add(s9).add(s10).add(s11);
    float[] sums = new float[FLOATS.length()];
    ((FloatVector) FLOATS.vectorType().cast(left.add(right))).intoArray(sums, 0);
    return sums[0];
  }

  private static float read(MemorySegment data, long from) {
    data.isMapped(); // C2 knows the class of the segment then: see docs/performance-matmul.md
    int step = LONGS.vectorByteSize();
    LongVector even = LongVector.zero(LONGS);
    LongVector odd = even;
    for (int i = 0; i < PART; i += 2 * step) {
      even = even.lanewise(VectorOperators.XOR, longs(data, from + i));
      odd = odd.lanewise(VectorOperators.XOR, longs(data, from + i + step));
    }
    long[] bits = new long[LONGS.length()];
    LongVector all = even.lanewise(VectorOperators.XOR, odd);
    ((LongVector) LONGS.vectorType().cast(all)).intoArray(bits, 0);
    return bits[0];
  }

  private static LongVector longs(MemorySegment data, long at) {
    return LongVector.fromMemorySegment(LONGS, data, at, ByteOrder.LITTLE_ENDIAN);
  }
}
