package dev.gdn.kernels.scalar;

import dev.gdn.core.backward.BackwardPass;
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

/** All scalar kernels. */
record ScalarKernels(
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
  ScalarKernels(Workers workers) {
    this(
        new ScalarMatrixProduct(workers),
        new ScalarDeltaRule(workers),
        new BackwardPass(workers),
        new ScalarConvolution(workers),
        new ScalarNormalization(workers),
        new ScalarElementwise(workers),
        new ScalarAttention(workers),
        new ScalarRotation(),
        new ScalarExpertDispatch(workers));
  }

  @Override
  public String name() {
    return "scalar";
  }
}
