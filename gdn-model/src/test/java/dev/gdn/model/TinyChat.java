package dev.gdn.model;

import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.synth.TinyCheckpoint;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A small model of random weights to talk to.
 *
 * @param settings short answers of letters and digits alone, so that templates find nothing to trim
 */
record TinyChat(LanguageModel model, ChatSettings settings) {
  static Path write(Path folder) throws IOException {
    return TinyCheckpoint.write(folder, TinyCheckpoint.LONG, FileType.Q8_0);
  }

  static TinyChat open(Path checkpoint) {
    LanguageModel model = LanguageModel.open(checkpoint);
    Map<Integer, Float> bias = new HashMap<>();
    for (int id = 0; id < model.tokenizer().vocabularySize(); id++) {
      for (byte value : model.tokenizer().bytes(id)) {
        if (!Character.isLetterOrDigit(value)) {
          bias.put(id, Float.NEGATIVE_INFINITY);
        }
      }
    }
    return new TinyChat(
        model, ChatSettings.of(GenerationOptions.greedy().withMaxTokens(12).withLogitBias(bias)));
  }

  /** One that is published. */
  static ChatTemplate template(String name) throws IOException {
    try (InputStream file = TinyChat.class.getResourceAsStream("template/published/" + name)) {
      return ChatTemplate.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8), Map.of());
    }
  }

  ChatSession session(ChatTemplate template) {
    return new ChatSession(model, template, settings);
  }
}
