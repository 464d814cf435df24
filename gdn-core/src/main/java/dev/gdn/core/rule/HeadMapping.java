package dev.gdn.core.rule;

/** Which key head a value head uses, when there are more value heads (HV) than key heads (H). */
public enum HeadMapping {
  /** Hub checkpoints: value head j uses key head j / (HV / H). */
  GROUPED,
  /** GGUF files: value head j uses key head j mod H. */
  TILED;

  /** The key head of a value head. */
  public int keyHead(int valueHead, int keyHeads, int valueHeads) {
    return this == GROUPED ? valueHead / (valueHeads / keyHeads) : valueHead % keyHeads;
  }

  /** The {@code n}-th value head, from 0 to HV / H - 1, that uses a key head. */
  public int valueHead(int keyHead, int n, int keyHeads, int valueHeads) {
    return this == GROUPED ? keyHead * (valueHeads / keyHeads) + n : n * keyHeads + keyHead;
  }
}
