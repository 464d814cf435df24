package dev.gdn.model.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A piece of prompt that a session takes, also one that is cancelled or fails half-way. */
@Name("dev.gdn.Prefill")
@Label("Prefill")
@Description("A session took a piece of a prompt")
@Category("gdn")
@StackTrace(false)
public final class PrefillEvent extends Event {
  @Label("Position")
  @Description("Of the first token in the sequence")
  private int position;

  @Label("Tokens")
  @Description("That were taken")
  private int tokens;

  @Label("Complete")
  @Description("Whether all of the prompt was taken")
  private boolean complete;

  /** Ends the event and gives it to the recordings that want it. */
  public void taken(int position, int tokens, boolean complete) {
    end();
    if (shouldCommit()) {
      this.position = position;
      this.tokens = tokens;
      this.complete = complete;
      commit();
    }
  }
}
