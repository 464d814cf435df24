package dev.gdn.acceptance.picture;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A chart of 320 × 240 pixels as elements of SVG: a line for each series, values over numbers of
 * tokens, which stand at equal distances.
 *
 * @param left x of its left edge
 * @param title stands above it
 * @param unit of the values
 * @param step between two of the five lines of the grid above zero
 * @param series by name, all with the same numbers of tokens
 */
record LineChart(
    int left, String title, String unit, double step, Map<String, List<Point>> series) {
  private static final int WIDTH = 320;
  private static final int BOTTOM = 280;
  private static final int HEIGHT = 240;
  private static final int STEPS = 5;
  private static final List<String> COLOURS = List.of("#1f77b4", "#d62728");
  private static final String LIMIT_COLOUR = "#2ca02c";

  /** Title, grid and labels of the axes. */
  void drawAxes(Consumer<String> svg) {
    draw(
        svg,
        "<text x=\"%d\" y=\"22\" font-size=\"14\" font-weight=\"bold\">%s</text>",
        left,
        title);
    for (int i = 0; i <= STEPS; i++) {
      double y = y(i * step);
      draw(
          svg,
          "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%3$.1f\" stroke=\"#ddd\"/>"
              + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
          left,
          left + WIDTH,
          y,
          left - 6,
          y + 4,
          label(i * step));
    }
    List<Point> ticks = series.values().iterator().next();
    for (int i = 0; i < ticks.size(); i++) {
      drawCentred(svg, x(i), 296, String.valueOf(ticks.get(i).tokens()));
    }
    drawCentred(svg, left + WIDTH / 2, 314, "tokens of the prompt");
    draw(
        svg,
        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 %1$d %2$.1f)\">"
            + "%3$s</text>",
        left - 40,
        BOTTOM - HEIGHT / 2.0,
        unit);
  }

  /** A broken line at a value. */
  void drawLimit(Consumer<String> svg, double value, String name) {
    draw(
        svg,
        "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%3$.1f\" stroke=\"%s\""
            + " stroke-dasharray=\"6 4\"/>"
            + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"%4$s\">%s: %s</text>",
        left,
        left + WIDTH,
        y(value),
        LIMIT_COLOUR,
        left + WIDTH - 2,
        y(value) - 5,
        name,
        label(value));
  }

  /** The series, each with its name at the end. */
  void drawSeries(Consumer<String> svg) {
    int colour = 0;
    for (Map.Entry<String, List<Point>> each : series.entrySet()) {
      drawLine(svg, each.getKey(), each.getValue(), COLOURS.get(colour++));
    }
  }

  private void drawLine(Consumer<String> svg, String name, List<Point> points, String colour) {
    StringBuilder corners = new StringBuilder();
    for (int i = 0; i < points.size(); i++) {
      corners.append(i == 0 ? "" : " ").append(format("%.1f,%.1f", x(i), y(points.get(i))));
    }
    draw(
        svg,
        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>",
        colour,
        corners);
    for (int i = 0; i < points.size(); i++) {
      draw(
          svg,
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>",
          x(i),
          y(points.get(i)),
          colour);
    }
    draw(
        svg,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" fill=\"%s\">%s</text>",
        x(points.size() - 1) - 4,
        y(points.getLast()) - 8,
        colour,
        name);
  }

  private static void drawCentred(Consumer<String> svg, double x, int y, String text) {
    draw(svg, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x, y, text);
  }

  private double x(int index) {
    int intervals = series.values().iterator().next().size() - 1;
    return left + (double) WIDTH * index / intervals;
  }

  private double y(Point point) {
    return y(point.value());
  }

  private double y(double value) {
    return BOTTOM - HEIGHT * value / (STEPS * step);
  }

  private static String label(double value) {
    return value == Math.rint(value) ? format("%.0f", value) : String.valueOf(value);
  }

  private static void draw(Consumer<String> svg, String pattern, Object... values) {
    svg.accept(format(pattern, values));
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
