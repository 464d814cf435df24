/**
 * The kernels twice: scalar, the reference that reads like the formulas, and vector, on the Vector
 * API. The latter's module is optional at run time: without it the scalar kernels are used.
 */
module dev.gdn.kernels {
  requires dev.gdn.core;
  requires static jdk.incubator.vector;

  provides dev.gdn.core.kernel.KernelProvider with
      dev.gdn.kernels.scalar.ScalarProvider,
      dev.gdn.kernels.vector.VectorProvider;
}
