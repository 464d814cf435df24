package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.RowLayout;
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
  private int[] rowsPerPart = new int[8];

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
      rowsPerPart = Arrays.copyOf(rowsPerPart, 2 * products);
    }
    matrices[products] = matrix;
    outputs[products] = output;
    this.firstToken[products] = firstToken;
    this.tokens[products++] = tokens;
  }

  /**
   * Cuts every matrix into parts, the last of each perhaps shorter.
   *
   * @param rows of a part
   * @param grouped of which a part's rows are a multiple, if need be more, where they lie in groups
   */
  void cut(int rows, int grouped) {
    for (int i = 0; i < products; i++) {
      rowsPerPart[i] = isGrouped(i) ? Math.ceilDiv(rows, grouped) * grouped : rows;
      firstPart[i + 1] = firstPart[i] + (matrices[i].rows() - 1) / rowsPerPart[i] + 1;
    }
  }

  /** Whether the rows of a product's matrix lie in groups. */
  boolean isGrouped(int product) {
    return matrices[product].layout() == RowLayout.GROUPS;
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
    return (part - firstPart[product]) * rowsPerPart[product];
  }

  int rows(int part, int product) {
    return Math.min(rowsPerPart[product], matrices[product].rows() - firstRow(part, product));
  }
}
