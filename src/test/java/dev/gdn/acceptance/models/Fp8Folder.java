package dev.gdn.acceptance.models;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsTensor;
import dev.gdn.model.safetensors.SafetensorsType;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Two copies of a hub folder: one whose matrices are block-wise FP8, as they are published, and one
 * in float32 with exactly the numbers that these stand for.
 *
 * @param fp8 the folder in FP8
 * @param exact its twin in float32
 */
record Fp8Folder(Path fp8, Path exact) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final float LARGEST = 448;

  /**
   * Makes both. The embedding, the head, and the small projections stay as they are, as in
   * published checkpoints.
   *
   * @param scales type of the scales, BF16 or F32
   */
  static Fp8Folder of(Path hub, Path into, int blockRows, int blockColumns, SafetensorsType scales)
      throws IOException {
    Path fp8 = Files.createDirectory(into.resolve("fp8"));
    Path exact = Files.createDirectory(into.resolve("exact"));
    ObjectNode config = (ObjectNode) JSON.readTree(hub.resolve("config.json").toFile());
    JSON.writeValue(exact.resolve("config.json").toFile(), config);
    ObjectNode quantization = config.putObject("quantization_config");
    quantization.put("quant_method", "fp8").put("fmt", "e4m3").put("activation_scheme", "dynamic");
    quantization.putArray("weight_block_size").add(blockRows).add(blockColumns);
    quantization.putArray("modules_to_not_convert").add("lm_head").add("model.embed_tokens");
    JSON.writeValue(fp8.resolve("config.json").toFile(), config);
    SafetensorsWriter quantized = new SafetensorsWriter();
    SafetensorsWriter twin = new SafetensorsWriter();
    try (SafetensorsFile file = SafetensorsFile.open(hub.resolve("model.safetensors"))) {
      for (SafetensorsTensor tensor : file.tensors().values()) {
        if (isQuantized(tensor)) {
          new Blocks(tensor, blockRows, blockColumns, scales).addTo(quantized, twin);
        } else {
          quantized.add(tensor.name(), tensor.type(), tensor.shape(), tensor.data());
          twin.add(tensor.name(), tensor.type(), tensor.shape(), tensor.data());
        }
      }
      quantized.write(fp8.resolve("model.safetensors"));
      twin.write(exact.resolve("model.safetensors"));
    }
    return new Fp8Folder(fp8, exact);
  }

  private static boolean isQuantized(SafetensorsTensor tensor) {
    String name = tensor.name();
    return name.endsWith("_proj.weight")
        || name.endsWith("qkv.weight")
        || name.endsWith("z.weight")
        || name.contains(".experts.");
  }

  /** A matrix, or a stack of them, each in blocks of its own. */
  private record Blocks(
      SafetensorsTensor tensor, int blockRows, int blockColumns, SafetensorsType type) {
    private int columns() {
      return (int) tensor.shape().dimension(tensor.shape().rank() - 1);
    }

    private int rows() {
      return (int) tensor.shape().dimension(tensor.shape().rank() - 2);
    }

    private Shape scalesShape() {
      long[] shape = tensor.shape().dimensions();
      shape[shape.length - 2] = Math.ceilDiv(rows(), blockRows);
      shape[shape.length - 1] = Math.ceilDiv(columns(), blockColumns);
      return new Shape(shape);
    }

    private int block(int element) {
      int row = element / columns();
      int down = row / rows() * Math.ceilDiv(rows(), blockRows) + row % rows() / blockRows;
      int across = Math.ceilDiv(columns(), blockColumns);
      return down * across + element % columns() / blockColumns;
    }

    void addTo(SafetensorsWriter quantized, SafetensorsWriter twin) {
      float[] values = tensor.toFloats();
      Shape shape = scalesShape();
      float[] scales = new float[(int) shape.elements()];
      for (int i = 0; i < values.length; i++) {
        int block = block(i);
        scales[block] = Math.max(scales[block], Math.abs(values[i]) / LARGEST);
      }
      for (int i = 0; i < scales.length && type == SafetensorsType.BF16; i++) {
        // Rounded up, so that nothing exceeds the largest number.
        scales[i] = Float.intBitsToFloat((Float.floatToIntBits(scales[i]) >> 16) + 1 << 16);
      }
      byte[] codes = new byte[values.length];
      float[] exact = new float[values.length];
      for (int i = 0; i < values.length; i++) {
        float scale = scales[block(i)];
        float nearest = nearest(values[i] / scale);
        exact[i] = nearest * scale;
        codes[i] = code(nearest);
      }
      quantized.add(
          tensor.name(), SafetensorsType.F8_E4M3, tensor.shape(), MemorySegment.ofArray(codes));
      String name = tensor.name() + "_scale_inv";
      if (type == SafetensorsType.F32) {
        quantized.add(name, shape, scales);
      } else {
        short[] upper = new short[scales.length];
        for (int i = 0; i < upper.length; i++) {
          upper[i] = (short) (Float.floatToIntBits(scales[i]) >> 16);
        }
        quantized.add(name, type, shape, MemorySegment.ofArray(upper));
      }
      twin.add(tensor.name(), tensor.shape(), exact);
    }

    /** The nearest number with three bits after the first, or the nearest multiple of 2⁻⁹. */
    private static float nearest(float value) {
      int exponent = Math.max(-6, Math.getExponent(value));
      float unit = Math.scalb(1f, exponent - 3);
      return Math.clamp(Math.round(value / unit) * unit, -LARGEST, LARGEST);
    }

    private static byte code(float value) {
      float size = Math.abs(value);
      int exponent = Math.getExponent(size);
      int code =
          size < 0x1p-6f
              ? (int) (size * 512)
              : (exponent + 7 << 3) + (int) (Math.scalb(size, 3 - exponent) - 8);
      return (byte) (value < 0 ? code | 0x80 : code);
    }
  }
}
