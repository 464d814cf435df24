package dev.gdn.bench;

import dev.gdn.core.concurrent.Workers;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * What the machine can do at this moment, so that a figure can be given as a share of it. Each
 * method takes a few milliseconds once compiled.
 */
final class MachineLimits {
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final int STEPS = 50_000;
  private static final int STEP_ADDITIONS = 12;
  private static final int TRIES = 5;
  private static final long PART = 256 << 10;

  private static volatile float kept;

  private final Workers workers;

  MachineLimits(Workers workers) {
    this.workers = workers;
  }

  /** Gives the compiler the time it needs. */
  void warmUp(MemorySegment data) {
    long end = System.nanoTime() + 1_000_000_000;
    while (System.nanoTime() < end) {
      multiplyAdditionsPerNanosecond();
      bytesReadPerNanosecond(data);
    }
  }

  /** Float32 multiply-additions per nanosecond of all workers together. */
  double multiplyAdditionsPerNanosecond() {
    double additions = (double) STEPS * STEP_ADDITIONS * FLOATS.length() * workers.threads();
    return additions / shortest(workers.threads(), (part, worker) -> kept = multiplyAdd(STEPS));
  }

  /** Bytes that all workers together read per nanosecond. */
  double bytesReadPerNanosecond(MemorySegment data) {
    int parts = Math.toIntExact(data.byteSize() / PART);
    double bytes = (double) parts * PART;
    return bytes / shortest(parts, (part, worker) -> kept = read(data, part * PART));
  }

  private long shortest(int parts, Workers.Task task) {
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) {
      long start = System.nanoTime();
      workers.run(parts, task);
      shortest = Math.min(shortest, System.nanoTime() - start);
    }
    return shortest;
  }

  // Twelve independent sums: more than the multipliers have stages, fewer than there are registers.
  private static float multiplyAdd(int steps) {
    FloatVector a = FloatVector.broadcast(FLOATS, 0.999f);
    FloatVector b = FloatVector.broadcast(FLOATS, 1e-9f);
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
      s0 = s0.fma(a, b);
      s1 = s1.fma(a, b);
      s2 = s2.fma(a, b);
      s3 = s3.fma(a, b);
      s4 = s4.fma(a, b);
      s5 = s5.fma(a, b);
      s6 = s6.fma(a, b);
      s7 = s7.fma(a, b);
      s8 = s8.fma(a, b);
      s9 = s9.fma(a, b);
      s10 = s10.fma(a, b);
      s11 = s11.fma(a, b);
    }
    FloatVector left = s0.add(s1).add(s2).add(s3).add(s4).add(s5);
    FloatVector right = s6.add(s7).add(s8).add(s9).add(s10).add(s11);
    return left.add(right).lane(0);
  }

  private static float read(MemorySegment data, long from) {
    int step = LONGS.vectorByteSize();
    LongVector even = LongVector.zero(LONGS);
    LongVector odd = even;
    for (int i = 0; i < PART; i += 2 * step) {
      even = even.lanewise(VectorOperators.XOR, longs(data, from + i));
      odd = odd.lanewise(VectorOperators.XOR, longs(data, from + i + step));
    }
    return even.lanewise(VectorOperators.XOR, odd).lane(0);
  }

  private static LongVector longs(MemorySegment data, long at) {
    return LongVector.fromMemorySegment(LONGS, data, at, ByteOrder.LITTLE_ENDIAN);
  }
}
