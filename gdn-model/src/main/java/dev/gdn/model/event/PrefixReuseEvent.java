package dev.gdn.model.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** What a session did not have to read of a prompt, which may be nothing. */
@Name("dev.gdn.PrefixReuse")
@Label("Prefix Reuse")
@Description("A session looked for the state after the longest known beginning of a prompt")
@Category("gdn")
@StackTrace(false)
public final class PrefixReuseEvent extends Event {
  @Label("Prompt Tokens")
  private int promptTokens;

  @Label("Reused Tokens")
  @Description("That are not read again")
  private int reusedTokens;

  /** Ends the event and gives it to the recordings that want it. */
  public void found(int promptTokens, int reusedTokens) {
    end();
    if (shouldCommit()) {
      this.promptTokens = promptTokens;
      this.reusedTokens = reusedTokens;
      commit();
    }
  }
}
