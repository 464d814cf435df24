package dev.gdn.kernels.vector;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.Attention;
import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.DeltaRuleBackward;
import dev.gdn.core.kernel.Elementwise;
import dev.gdn.core.kernel.ExpertDispatch;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.MatrixProduct;
import dev.gdn.core.kernel.Normalization;
import dev.gdn.core.kernel.Rotation;
import dev.gdn.core.kernel.ShortConvolution;

/** All vector kernels. */
record VectorKernels(
    MatrixProduct matrix,
    DeltaRule rule,
    DeltaRuleBackward backward,
    ShortConvolution convolution,
    Normalization normalization,
    Elementwise elementwise,
    Attention attention,
    Rotation rotation,
    ExpertDispatch experts)
    implements Kernels {
  VectorKernels(Workers workers) {
    this(
        new VectorMatrixProduct(workers),
        new VectorDeltaRule(workers),
        new VectorBackward(workers),
        new VectorConvolution(workers),
        new VectorNormalization(workers),
        new VectorElementwise(workers),
        new VectorAttention(workers),
        new VectorRotation(workers),
        new VectorExpertDispatch(workers));
  }

  @Override
  public String name() {
    return "vector-" + Lanes.F.vectorBitSize();
  }
}
