package dev.gdn.model.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A valid configuration, to be changed in one place. */
final class SampleConfig {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final String TEXT =
      """
      {
        "attention_bias": false,
        "eos_token_id": 255,
        "head_dim": 32,
        "hidden_act": "silu",
        "hidden_size": 64,
        "intermediate_size": 96,
        "layer_types": ["linear_attention", "full_attention", "linear_attention"],
        "linear_conv_kernel_dim": 4,
        "linear_key_head_dim": 16,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 6,
        "linear_value_head_dim": 24,
        "max_position_embeddings": 4096,
        "model_type": "qwen3_5_text",
        "num_attention_heads": 4,
        "num_hidden_layers": 3,
        "num_key_value_heads": 2,
        "pad_token_id": null,
        "rms_norm_eps": 1e-06,
        "rope_parameters": {
          "mrope_interleaved": true,
          "mrope_section": [2, 1, 1],
          "partial_rotary_factor": 0.25,
          "rope_theta": 10000000,
          "rope_type": "default"
        },
        "tie_word_embeddings": true,
        "vocab_size": 256
      }
      """;

  private SampleConfig() {}

  /** The configuration of a text model. */
  static ObjectNode text() {
    return object(TEXT);
  }

  /** A multimodal model's configuration with that of the text model inside. */
  static ObjectNode multimodal() {
    ObjectNode outer = object("{\"model_type\": \"qwen3_5\", \"vision_config\": {\"depth\": 2}}");
    outer.set("text_config", text());
    return outer;
  }

  static ObjectNode object(String json) {
    try {
      return (ObjectNode) MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Sets a key, which may be a path of keys with dots between; an empty value removes it. */
  static ObjectNode with(ObjectNode config, String key, String json) {
    int dot = key.lastIndexOf('.');
    ObjectNode parent =
        dot < 0 ? config : (ObjectNode) config.at("/" + key.substring(0, dot).replace('.', '/'));
    String name = key.substring(dot + 1);
    if (json == null || json.isEmpty()) {
      parent.remove(name);
    } else {
      parent.set(name, object("{\"value\":" + json + "}").get("value"));
    }
    return config;
  }

  static Path write(Path folder, ObjectNode config) throws IOException {
    return Files.writeString(folder.resolve("config.json"), config.toPrettyString());
  }
}
