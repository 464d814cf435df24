/** Tensors, the gated delta rule as the papers write it, and the kernel interface. */
module dev.gdn.core {
  exports dev.gdn.core.backward;
  exports dev.gdn.core.batch;
  exports dev.gdn.core.concurrent;
  exports dev.gdn.core.kernel;
  exports dev.gdn.core.rule;
  exports dev.gdn.core.tensor;

  uses dev.gdn.core.kernel.KernelProvider;
}
