package dev.gdn.acceptance.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The picture is that of the figures in {@code docs/performance.csv}; with {@code
 * -Dgdn.picture=write} it is drawn anew.
 */
class PerformancePictureTest {
  private static final Path DOCS = Path.of("../../docs");

  /** The rule's: six d² operations for a head of 128 × 128 at 114 GFLOP/s, in µs. */
  private static final double LIMIT = 0.86;

  @Test
  void pictureShowsTheFigures() throws IOException {
    Path picture = DOCS.resolve("performance.svg");
    String drawn = draw(Files.readAllLines(DOCS.resolve("performance.csv")));
    if ("write".equals(System.getProperty("gdn.picture"))) {
      Files.writeString(picture, drawn);
    }
    assertEquals(drawn, Files.readString(picture));
  }

  private static String draw(List<String> figures) {
    assertEquals("chart,series,tokens,value", figures.getFirst());
    StringJoiner svg = new StringJoiner("\n");
    svg.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 840 340\""
            + " font-family=\"sans-serif\" font-size=\"12\">");
    svg.add("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
    LineChart prefill =
        new LineChart(
            52,
            "Prefill, 0.8b shape, two threads of Zen 4",
            "tokens per second",
            50,
            series(figures, "prefill"));
    prefill.drawAxes(svg::add);
    prefill.drawSeries(svg::add);
    LineChart rule =
        new LineChart(
            472,
            "The rule, chunk form, one thread of Zen 4",
            "µs per token and head of 128 × 128",
            0.5,
            series(figures, "rule"));
    rule.drawAxes(svg::add);
    rule.drawLimit(svg::add, LIMIT, "six d² operations at the peak");
    rule.drawSeries(svg::add);
    return svg.add("</svg>").toString();
  }

  private static Map<String, List<Point>> series(List<String> figures, String chart) {
    return figures.stream()
        .map(line -> line.split(","))
        .filter(cells -> cells[0].equals(chart))
        .collect(
            Collectors.groupingBy(
                cells -> cells[1],
                LinkedHashMap::new,
                Collectors.mapping(
                    cells -> new Point(Integer.parseInt(cells[2]), Double.parseDouble(cells[3])),
                    Collectors.toList())));
  }
}
