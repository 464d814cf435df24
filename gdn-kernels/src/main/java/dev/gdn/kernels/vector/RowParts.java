package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.util.Arrays;

/**
 * Products of matrices with tokens, and how their rows are cut into parts that workers take.
 * Reused; not shared.
 */
final class RowParts {
  private WeightMatrix[] matrices = new WeightMatrix[8];
  private TokenTensor[] outputs = new TokenTensor[8];
  private int[] firstToken = new int[8];
  private int[] tokens = new int[8];
  private int[] firstPart = new int[9];
  private int products;
  private int rowsPerPart;

  /**
   * Adds a product.
   *
   * @param firstToken that the matrix meets, in input and output
   */
  void add(WeightMatrix matrix, TokenTensor output, int firstToken, int tokens) {
    if (products == matrices.length) {
      matrices = Arrays.copyOf(matrices, 2 * products);
      outputs = Arrays.copyOf(outputs, 2 * products);
      this.firstToken = Arrays.copyOf(this.firstToken, 2 * products);
      this.tokens = Arrays.copyOf(this.tokens, 2 * products);
      firstPart = Arrays.copyOf(firstPart, 2 * products + 1);
    }
    matrices[products] = matrix;
    outputs[products] = output;
    this.firstToken[products] = firstToken;
    this.tokens[products++] = tokens;
  }

  /** Cuts every matrix into parts of {@code rowsPerPart} rows, the last of each perhaps shorter. */
  void cut(int rowsPerPart) {
    this.rowsPerPart = rowsPerPart;
    for (int i = 0; i < products; i++) {
      firstPart[i + 1] = firstPart[i] + (matrices[i].rows() - 1) / rowsPerPart + 1;
    }
  }

  /** Lets go of all products. */
  void clear() {
    Arrays.fill(matrices, 0, products, null);
    Arrays.fill(outputs, 0, products, null);
    products = 0;
  }

  /** Products that were added. */
  int products() {
    return products;
  }

  /** Parts of all products. */
  int count() {
    return firstPart[products];
  }

  /** The product that a part belongs to. */
  int product(int part) {
    int low = 0;
    int high = products - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (firstPart[middle] <= part) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  WeightMatrix matrix(int product) {
    return matrices[product];
  }

  TokenTensor output(int product) {
    return outputs[product];
  }

  int firstToken(int product) {
    return firstToken[product];
  }

  int tokens(int product) {
    return tokens[product];
  }

  int firstRow(int part, int product) {
    return (part - firstPart[product]) * rowsPerPart;
  }

  int rows(int part, int product) {
    return Math.min(rowsPerPart, matrices[product].rows() - firstRow(part, product));
  }
}
