package dev.gdn.core.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HeadMappingTest {
  @Test
  void hubCheckpointsGroupAndGgufFilesTile() {
    int[] grouped = {0, 0, 0, 1, 1, 1};
    int[] tiled = {0, 1, 0, 1, 0, 1};
    for (int head = 0; head < 6; head++) {
      assertEquals(grouped[head], HeadMapping.GROUPED.keyHead(head, 2, 6));
      assertEquals(tiled[head], HeadMapping.TILED.keyHead(head, 2, 6));
    }
  }

  @Test
  void valueHeadsOfAKeyHeadMapBackToIt() {
    for (HeadMapping mapping : HeadMapping.values()) {
      int seen = 0;
      for (int keyHead = 0; keyHead < 4; keyHead++) {
        for (int n = 0; n < 3; n++) {
          int valueHead = mapping.valueHead(keyHead, n, 4, 12);
          assertEquals(keyHead, mapping.keyHead(valueHead, 4, 12));
          seen |= 1 << valueHead;
        }
      }
      assertEquals(0xFFF, seen);
    }
  }
}
