package dev.gdn.model.safetensors;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the header of a safetensors file says.
 *
 * @param metadata free text by key
 * @param tensors views by name, in the order of the header
 */
record Header(Map<String, String> metadata, Map<String, SafetensorsTensor> tensors) {
  Header {
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
  }
}
