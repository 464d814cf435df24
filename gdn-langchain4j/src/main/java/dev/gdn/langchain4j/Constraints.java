package dev.gdn.langchain4j;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.generation.Constraint;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Constraints of JSON schemas. The latest are kept, since programs ask by the same schemas again,
 * and a constraint keeps what it has computed for one text for the next. Thread-safe.
 */
final class Constraints {
  private static final int MOST = 4;

  private final LanguageModel model;
  private final Map<String, Constraint> latest =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Constraint> eldest) {
          return size() > MOST;
        }
      };

  Constraints(LanguageModel model) {
    this.model = model;
  }

  /**
   * The constraint of a schema.
   *
   * @throws IllegalArgumentException if it is not supported
   */
  synchronized Constraint of(String schema) {
    return latest.computeIfAbsent(schema, model::jsonSchema);
  }
}
