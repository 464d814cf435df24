package dev.gdn.model.gguf;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a file says before its tensors' bytes.
 *
 * @param version of the format
 * @param metadata values by key, in the order of the file
 * @param tensors views by name, in the order of the file
 */
record Directory(int version, Map<String, GgufValue> metadata, Map<String, GgufTensor> tensors) {
  Directory {
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
  }
}
