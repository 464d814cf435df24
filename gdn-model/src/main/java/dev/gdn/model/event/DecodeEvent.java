package dev.gdn.model.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** One token that a session takes by itself. */
@Name("dev.gdn.Decode")
@Label("Decode")
@Description("A session took one token and gave the logits that follow it")
@Category("gdn")
@StackTrace(false)
public final class DecodeEvent extends Event {
  @Label("Position")
  @Description("Of the token in the sequence")
  private int position;

  /** Ends the event and gives it to the recordings that want it. */
  public void taken(int position) {
    end();
    if (shouldCommit()) {
      this.position = position;
      commit();
    }
  }
}
