package dev.gdn.langchain4j;

import dev.gdn.model.ChatSession;
import dev.gdn.model.ChatTurn;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.observer.ForwardObserver;
import java.util.List;

/**
 * Answers requests, each of which brings its whole conversation, by sessions. A conversation that
 * goes on takes the session that has it, if that is still there; any other gets a new one, which
 * reads from the longest beginning that the model keeps a state of. Thread-safe.
 */
final class Conversations {
  private final LanguageModel model;
  private final ChatTemplate template;
  private final IdleSessions idle;

  Conversations(LanguageModel model, ChatTemplate template, int idleSessions) {
    this.model = model;
    this.template = template;
    this.idle = new IdleSessions(idleSessions);
  }

  /** A session and the turn it is in. */
  record Started(ChatSession session, ChatTurn turn) {}

  /** Begins to answer; the reply is computed as its events are asked for. */
  Started start(Request request) {
    ChatSession session =
        idle.take(request.messages())
            .orElseGet(() -> new ChatSession(model, template, request.settings()));
    session.setSettings(request.settings());
    session.restore(request.history());
    return new Started(
        session, session.start(List.of(request.messages().getLast()), ForwardObserver.NONE));
  }

  /** Keeps a session whose turn has come to its end for requests that go on with it. */
  void keep(ChatSession session) {
    idle.add(session);
  }
}
