package dev.gdn.kernels;

import static dev.gdn.kernels.Views.UNIT;
import static dev.gdn.kernels.Views.get;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.kernel.ExpertProjection;
import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.kernel.MatrixProduct;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.RowGroups;
import dev.gdn.core.tensor.RowLayout;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MatrixProductTest {
  private static final int[] TOKENS = {0, 1, 2, 3, 5, 6, 7, 16, 17, 65};
  private static final Set<DataType> GROUPED =
      Stream.of(DataType.values()).filter(RowGroups::covers).collect(Collectors.toSet());
  private static final int EXPERT_COLUMNS = 256;
  private static final int[] ROWS = {1, 3, 7, 16, 24, 33, 64, 130};
  private static final int[] COLUMNS = {1, 3, 7, 16, 24, 33, 64, 130, 1100};

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void productIsTheSumOfProducts(KernelSet set) {
    MatrixProduct matrix = set.open().matrix();
    Random random = new Random(1);
    for (DataType type : DataType.values()) {
      Set<Integer> blocks = new TreeSet<>();
      for (int columns : COLUMNS) {
        blocks.add(Math.ceilDiv(columns, type.blockElements()));
      }
      for (int rows : ROWS) {
        for (int count : blocks) {
          Weights weights = Weights.random(random, type, rows, count * type.blockElements());
          int tokens = TOKENS[random.nextInt(TOKENS.length)];
          check(matrix, random, tokens, weights);
          check(matrix, random, 1, weights);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void anyNumberOfTokensAndOfMatricesOfAnyTypes(KernelSet set) {
    MatrixProduct matrix = set.open().matrix();
    Random random = new Random(2);
    for (int tokens : TOKENS) {
      check(
          matrix,
          random,
          tokens,
          Weights.random(random, DataType.BF16, 70, 96),
          Weights.random(random, DataType.Q4_0, 1, 96),
          Weights.random(random, DataType.F32, 33, 96));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void rowsThatLieInGroupsGiveTheSameProduct(KernelSet set) {
    MatrixProduct matrix = set.open().matrix();
    Random random = new Random(6);
    for (DataType type : GROUPED) {
      for (int tokens : TOKENS) {
        for (int least : new int[] {32, 224, 512, 544, 1088}) {
          int columns = Math.ceilDiv(least, type.blockElements()) * type.blockElements();
          Weights rows = Weights.random(random, type, 32 * (1 + random.nextInt(5)), columns);
          Weights groups = rows.inGroups();
          assertArrayEquals(rows.values(), groups.values());
          Weights other = Weights.random(random, DataType.Q8_0, 5, columns);
          check(matrix, random, tokens, groups, other);
        }
      }
      check(matrix, random, 600, Weights.random(random, type, 96, 256).inGroups());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void slicesOfGroupsAreMultipliedWhereTheyLie(KernelSet set) {
    MatrixProduct matrix = set.open().matrix();
    Random random = new Random(7);
    for (DataType type : GROUPED) {
      Weights whole = Weights.random(random, type, 128, 256).inGroups();
      WeightMatrix slice = whole.matrix().slice(32, 64);
      Weights part = new Weights(slice, Arrays.copyOfRange(whole.values(), 32 * 256, 96 * 256));
      check(matrix, random, 1, part);
      check(matrix, random, 9, part);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void everyRowMeetsTheMatricesOfItsExpert(KernelSet set) {
    MatrixProduct matrix = set.open().matrix();
    Random random = new Random(4);
    for (int tokens : new int[] {0, 1, 2, 9, 40}) {
      for (DataType type : DataType.values()) {
        ExpertRoutes routes = Routes.random(random, 5, 2, tokens);
        TokenTensor x = Views.random(random, routes.rows(), 1, EXPERT_COLUMNS);
        List<Weights> wide =
            GROUPED.contains(type)
                ? experts(random, type, 5, 64).stream().map(Weights::inGroups).toList()
                : experts(random, type, 5, 37);
        List<Weights> narrow = experts(random, DataType.F32, 5, 1);
        ExpertProjection[] projections = {
          projection(wide, routes.rows()), projection(narrow, routes.rows())
        };
        matrix.multiplyExperts(x, routes, projections);
        for (int g = 0; g < routes.groups(); g++) {
          int first = routes.firstRow(g);
          int rows = routes.firstRow(g + 1) - first;
          TokenTensor of = x.from(first);
          check(of, rows, wide.get(routes.expert(g)), projections[0].output().from(first));
          check(of, rows, narrow.get(routes.expert(g)), projections[1].output().from(first));
        }
        Views.assertGapsUntouched(projections[0].output(), routes.rows());
      }
    }
  }

  private static List<Weights> experts(Random random, DataType type, int count, int rows) {
    return IntStream.range(0, count)
        .mapToObj(e -> Weights.random(random, type, rows, EXPERT_COLUMNS))
        .toList();
  }

  private static ExpertProjection projection(List<Weights> experts, int rows) {
    List<WeightMatrix> matrices = experts.stream().map(Weights::matrix).toList();
    return new ExpertProjection(matrices, Views.blank(rows, 1, matrices.getFirst().rows()));
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void expertsThatDoNotFitAreRefused(KernelSet set) {
    MatrixProduct matrix = set.open().matrix();
    Random random = new Random(5);
    ExpertRoutes routes = Routes.random(random, 5, 2, 3);
    List<Weights> weights = experts(random, DataType.F32, 5, 4);
    TokenTensor x = Views.random(random, 6, 1, EXPERT_COLUMNS);
    ShortConvolutionTest.refused(
        () -> matrix.multiplyExperts(x, routes, projection(weights.subList(0, 4), 6)),
        "expected 5, found 4");
    ShortConvolutionTest.refused(
        () -> matrix.multiplyExperts(x, routes, projection(weights, 4)), "output of test");
    ShortConvolutionTest.refused(
        () ->
            matrix.multiplyExperts(
                Views.blank(6, 1, EXPERT_COLUMNS - 1), routes, projection(weights, 6)),
        "input of test");
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void sizesThatDoNotFitAreRefused(KernelSet set) {
    MatrixProduct matrix = set.open().matrix();
    Random random = new Random(3);
    Weights weights = Weights.random(random, DataType.F32, 5, 9);
    TokenTensor x = Views.random(random, 4, 1, 9);
    TokenTensor y = Views.blank(4, 1, 5);
    refused(matrix, Views.blank(4, 1, 8), 4, new Projection(weights.matrix(), y));
    refused(matrix, x, 4, new Projection(weights.matrix(), Views.blank(4, 1, 6)));
    refused(matrix, x, 4, new Projection(weights.matrix(), Views.blank(2, 1, 5)));
    refused(matrix, x, 7, new Projection(weights.matrix(), y));
  }

  private static void refused(MatrixProduct matrix, TokenTensor x, int tokens, Projection p) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> matrix.multiply(x, tokens, p));
    assertTrue(e.getMessage().contains("put of test"), e.getMessage());
    Views.assertGapsUntouched(p.output(), 0);
  }

  static void check(MatrixProduct matrix, Random random, int tokens, Weights... weights) {
    int columns = weights[0].matrix().columns();
    TokenTensor x = Views.random(random, tokens, 1, columns);
    Projection[] projections = new Projection[weights.length];
    for (int p = 0; p < weights.length; p++) {
      TokenTensor y = Views.blank(tokens, 1, weights[p].matrix().rows());
      projections[p] = new Projection(weights[p].matrix(), y);
    }
    matrix.multiply(x, tokens, projections);
    for (int p = 0; p < weights.length; p++) {
      check(x, tokens, weights[p], projections[p].output());
      Views.assertGapsUntouched(projections[p].output(), tokens);
    }
  }

  // A sum of n float32 products in any order is within n + 1 units of Σ|w·x|, a unit being the
  // rounding error of one operation; decoding a quantised weight may round once more. Where the
  // input is rounded to eight bits, each element is off by up to half a step, and the step itself
  // and the scaled sum are rounded too.
  private static void check(TokenTensor x, int tokens, Weights weights, TokenTensor y) {
    int columns = weights.matrix().columns();
    String what = weights.matrix().toString();
    for (int t = 0; t < tokens; t++) {
      for (int r = 0; r < weights.matrix().rows(); r++) {
        double sum = 0;
        double size = 0;
        double steps = 0;
        for (int c = 0; c < columns; c++) {
          double weight = weights.values()[r * columns + c];
          double product = weight * get(x, t, 0, c);
          sum += product;
          size += Math.abs(product);
          steps += Math.abs(weight) * step(weights.matrix(), x, t, c);
        }
        double bound = (columns + 2) * UNIT * size + 0.51 * steps;
        Views.assertNear(what, sum, get(y, t, 0, r), bound);
      }
    }
  }

  // The step of the block of 32 elements to which element c belongs, where a kernel may round.
  private static double step(WeightMatrix matrix, TokenTensor x, int token, int c) {
    if (matrix.type() != DataType.Q4_0 && matrix.layout() == RowLayout.ROWS) {
      return 0;
    }
    double largest = 0;
    for (int i = c / 32 * 32; i < c / 32 * 32 + 32; i++) {
      largest = Math.max(largest, Math.abs(get(x, token, 0, i)));
    }
    return largest / 127;
  }
}
