package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;

import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/**
 * The recurrent form of the gated delta rule for one value head, with the scratch of one worker.
 *
 * <p>A step reads the state twice and writes it once. The first pass forms both Sᵀk and Sᵀq of the
 * old state; then u = β (v − e^g Sᵀk) and o = s (e^g Sᵀq + (k·q) u), and the second pass is the
 * update S ← e^g S + k uᵀ alone.
 */
final class RecurrentForm {
  // Columns that the first pass holds in registers.
  static final int BLOCK = 4 * COUNT;
  // Machines with registers for twice as many.
  private static final boolean WIDE = COUNT == 16;

  private float[] query = {};
  private float[] key = {};
  // Sᵀk, then u; and Sᵀq, then o.
  private float[] update = {};
  private float[] output = {};
  private final float[] scratch = new float[COUNT];
  private final ChannelStep channels = new ChannelStep();

  /** Runs all tokens of a value head. */
  void run(RuleCall call, int tokens, int head) {
    reserve(call.keyWidth(), call.valueWidth());
    int keyHead = call.keyHead(head);
    for (int t = 0; t < tokens; t++) {
      load(call, call.q(), keyHead, t, query);
      load(call, call.k(), keyHead, t, key);
      if (channels.serves(call)) {
        channelStep(call, head, t);
      } else {
        step(call, head, t);
      }
    }
  }

  void reserve(int keyWidth, int valueWidth) {
    if (key.length < keyWidth) {
      query = new float[keyWidth];
      key = new float[keyWidth];
    }
    int columns = Lanes.roundUp(valueWidth, COUNT);
    if (update.length < columns) {
      update = new float[columns];
      output = new float[columns];
    }
    channels.reserve(keyWidth, columns);
  }

  private void load(RuleCall call, TokenTensor x, int head, int token, float[] to) {
    int width = call.keyWidth();
    int from = x.at(token, head);
    if (call.parameters().normalise()) {
      double squares = Lanes.sumOfSquares(x.data(), from, width, scratch);
      float factor = (float) (1 / Math.sqrt(squares + RuleParameters.L2_EPSILON));
      Lanes.scale(factor, x.data(), from, to, 0, width);
    } else {
      System.arraycopy(x.data(), from, to, 0, width);
    }
  }

  private void step(RuleCall call, int head, int token) {
    int width = call.valueWidth();
    float decay = (float) Math.exp(call.g().data()[call.g().at(token) + head]);
    float beta = call.beta().data()[call.beta().at(token) + head];
    float scale = call.parameters().scale();
    int state = call.stateAt(head);
    read(call.state(), state, call.keyWidth(), width);
    float keyQuery = Lanes.dot(key, 0, query, 0, call.keyWidth());
    TokenTensor v = call.v();
    int from = v.at(token, head);
    for (int j = 0; j < width; j++) {
      float u = beta * (v.data()[from + j] - decay * update[j]);
      update[j] = u;
      output[j] = scale * (decay * output[j] + keyQuery * u);
    }
    storeOutput(call, head, token);
    update(call.state(), state, call.keyWidth(), width, decay);
  }

  private void storeOutput(RuleCall call, int head, int token) {
    TokenTensor o = call.o();
    if (o != null) {
      System.arraycopy(output, 0, o.data(), o.at(token, head), o.width());
    }
  }

  // With gates or betas of single channels, or without the delta term: query and key take on the
  // decay of their channels before they meet the state.
  private void channelStep(RuleCall call, int head, int token) {
    int width = call.valueWidth();
    int keyWidth = call.keyWidth();
    channels.load(call, head, token);
    float keyQuery = Lanes.dot(key, 0, query, 0, keyWidth);
    channels.decay(key, query, keyWidth);
    int state = call.stateAt(head);
    read(call.state(), state, keyWidth, width);
    int v = call.v().at(token, head);
    channels.combine(call, v, keyQuery, update, output);
    storeOutput(call, head, token);
    channels.update(call.state(), state, keyWidth, width, update);
  }

  // update = Sᵀ key and output = Sᵀ query.
  private void read(float[] s, int at, int rows, int width) {
    int j = 0;
    for (; WIDE && j <= width - 2 * BLOCK; j += 2 * BLOCK) {
      readWide(s, at + j, rows, width, j);
    }
    for (; j <= width - BLOCK; j += BLOCK) {
      readBlock(s, at + j, rows, width, j);
    }
    for (; j <= width - COUNT; j += COUNT) {
      readVector(s, at + j, rows, width, j);
    }
    if (j < width) {
      Arrays.fill(update, j, width, 0f);
      Arrays.fill(output, j, width, 0f);
      for (int i = 0; i < rows; i++) {
        for (int c = j; c < width; c++) {
          float x = s[at + i * width + c];
          update[c] = Math.fma(key[i], x, update[c]);
          output[c] = Math.fma(query[i], x, output[c]);
        }
      }
    }
  }

  // Whole rows of 128 values on wide machines: the state is read as one stream.
  void readWide(float[] s, int at, int rows, int width, int to) {
    float[] k = key;
    float[] q = query;
    FloatVector y0 = FloatVector.zero(F);
    FloatVector y1 = y0;
    FloatVector y2 = y0;
    FloatVector y3 = y0;
    FloatVector y4 = y0;
    FloatVector y5 = y0;
    FloatVector y6 = y0;
    FloatVector y7 = y0;
    FloatVector z0 = y0;
    FloatVector z1 = y0;
    FloatVector z2 = y0;
    FloatVector z3 = y0;
    FloatVector z4 = y0;
    FloatVector z5 = y0;
    FloatVector z6 = y0;
    FloatVector z7 = y0;
    for (int i = 0; i < rows; i++) {
      int row = at + i * width;
      FloatVector ki = FloatVector.broadcast(F, k[i]);
      FloatVector qi = FloatVector.broadcast(F, q[i]);
      FloatVector x = FloatVector.fromArray(F, s, row);
      y0 = ki.fma(x, y0);
      z0 = qi.fma(x, z0);
      x = FloatVector.fromArray(F, s, row + COUNT);
      y1 = ki.fma(x, y1);
      z1 = qi.fma(x, z1);
      x = FloatVector.fromArray(F, s, row + 2 * COUNT);
      y2 = ki.fma(x, y2);
      z2 = qi.fma(x, z2);
      x = FloatVector.fromArray(F, s, row + 3 * COUNT);
      y3 = ki.fma(x, y3);
      z3 = qi.fma(x, z3);
      x = FloatVector.fromArray(F, s, row + 4 * COUNT);
      y4 = ki.fma(x, y4);
      z4 = qi.fma(x, z4);
      x = FloatVector.fromArray(F, s, row + 5 * COUNT);
      y5 = ki.fma(x, y5);
      z5 = qi.fma(x, z5);
      x = FloatVector.fromArray(F, s, row + 6 * COUNT);
      y6 = ki.fma(x, y6);
      z6 = qi.fma(x, z6);
      x = FloatVector.fromArray(F, s, row + 7 * COUNT);
      y7 = ki.fma(x, y7);
      z7 = qi.fma(x, z7);
    }
    y0.intoArray(update, to);
    y1.intoArray(update, to + COUNT);
    y2.intoArray(update, to + 2 * COUNT);
    y3.intoArray(update, to + 3 * COUNT);
    y4.intoArray(update, to + 4 * COUNT);
    y5.intoArray(update, to + 5 * COUNT);
    y6.intoArray(update, to + 6 * COUNT);
    y7.intoArray(update, to + 7 * COUNT);
    z0.intoArray(output, to);
    z1.intoArray(output, to + COUNT);
    z2.intoArray(output, to + 2 * COUNT);
    z3.intoArray(output, to + 3 * COUNT);
    z4.intoArray(output, to + 4 * COUNT);
    z5.intoArray(output, to + 5 * COUNT);
    z6.intoArray(output, to + 6 * COUNT);
    z7.intoArray(output, to + 7 * COUNT);
  }

  void readBlock(float[] s, int at, int rows, int width, int to) {
    float[] k = key;
    float[] q = query;
    FloatVector y0 = FloatVector.zero(F);
    FloatVector y1 = y0;
    FloatVector y2 = y0;
    FloatVector y3 = y0;
    FloatVector z0 = y0;
    FloatVector z1 = y0;
    FloatVector z2 = y0;
    FloatVector z3 = y0;
    for (int i = 0; i < rows; i++) {
      int row = at + i * width;
      FloatVector ki = FloatVector.broadcast(F, k[i]);
      FloatVector qi = FloatVector.broadcast(F, q[i]);
      FloatVector x = FloatVector.fromArray(F, s, row);
      y0 = ki.fma(x, y0);
      z0 = qi.fma(x, z0);
      x = FloatVector.fromArray(F, s, row + COUNT);
      y1 = ki.fma(x, y1);
      z1 = qi.fma(x, z1);
      x = FloatVector.fromArray(F, s, row + 2 * COUNT);
      y2 = ki.fma(x, y2);
      z2 = qi.fma(x, z2);
      x = FloatVector.fromArray(F, s, row + 3 * COUNT);
      y3 = ki.fma(x, y3);
      z3 = qi.fma(x, z3);
    }
    y0.intoArray(update, to);
    y1.intoArray(update, to + COUNT);
    y2.intoArray(update, to + 2 * COUNT);
    y3.intoArray(update, to + 3 * COUNT);
    z0.intoArray(output, to);
    z1.intoArray(output, to + COUNT);
    z2.intoArray(output, to + 2 * COUNT);
    z3.intoArray(output, to + 3 * COUNT);
  }

  private void readVector(float[] s, int at, int rows, int width, int to) {
    float[] k = key;
    float[] q = query;
    FloatVector y = FloatVector.zero(F);
    FloatVector z = y;
    for (int i = 0; i < rows; i++) {
      FloatVector x = FloatVector.fromArray(F, s, at + i * width);
      y = x.fma(FloatVector.broadcast(F, k[i]), y);
      z = x.fma(FloatVector.broadcast(F, q[i]), z);
    }
    y.intoArray(update, to);
    z.intoArray(output, to);
  }

  // S = decay S + key updateᵀ.
  void update(float[] s, int at, int rows, int width, float decay) {
    float[] k = key;
    float[] u = update;
    int whole = width / COUNT * COUNT;
    VectorMask<Float> rest = F.indexInRange(whole, width);
    FloatVector e = FloatVector.broadcast(F, decay);
    for (int i = 0; i < rows; i++) {
      int row = at + i * width;
      FloatVector ki = FloatVector.broadcast(F, k[i]);
      for (int j = 0; j < whole; j += COUNT) {
        FloatVector x = FloatVector.fromArray(F, s, row + j).mul(e);
        ki.fma(FloatVector.fromArray(F, u, j), x).intoArray(s, row + j);
      }
      if (whole < width) {
        FloatVector x = FloatVector.fromArray(F, s, row + whole, rest).mul(e);
        ki.fma(FloatVector.fromArray(F, u, whole), x).intoArray(s, row + whole, rest);
      }
    }
  }
}
