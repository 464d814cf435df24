package dev.gdn.model.gguf;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a file says before its tensors' bytes.
 *
 * @param version of the format
 * @param metadata values by key
 * @param tensors views by name, in the order of the file
 */
record Directory(int version, GgufMetadata metadata, Map<String, GgufTensor> tensors) {
  Directory {
    tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
  }
}
