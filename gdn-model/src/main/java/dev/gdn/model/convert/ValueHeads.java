package dev.gdn.model.convert;

import dev.gdn.core.rule.HeadMapping;
import dev.gdn.model.config.LinearAttentionConfig;

/**
 * The order of value heads in a GGUF file, where most models have them tiled, and in a hub
 * checkpoint, where they are grouped.
 *
 * @param config counts and widths of the heads
 * @param stored their order in the GGUF file
 */
record ValueHeads(LinearAttentionConfig config, HeadMapping stored) {
  /** The value head of a hub checkpoint that stands at a place in a GGUF file. */
  int grouped(int place) {
    if (stored == HeadMapping.GROUPED) {
      return place;
    }
    int keyHeads = config.keyHeads();
    int valueHeads = config.valueHeads();
    int keyHead = HeadMapping.TILED.keyHead(place, keyHeads, valueHeads);
    return HeadMapping.GROUPED.valueHead(keyHead, place / keyHeads, keyHeads, valueHeads);
  }

  /**
   * The same for an element of something that has so many elements for each head, after others that
   * keep their place.
   */
  int grouped(int element, int before, int width) {
    if (element < before) {
      return element;
    }
    int i = element - before;
    return before + grouped(i / width) * width + i % width;
  }
}
