package dev.gdn.langchain4j;

import dev.gdn.model.ChatSession;
import dev.gdn.model.chat.Message;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The sessions whose last reply has come to its end, the latest first. A request that goes on with
 * the messages of one takes it, and so reads its own alone. Thread-safe.
 */
final class IdleSessions {
  private final int most;
  private final Deque<Idle> sessions = new ArrayDeque<>();

  private record Idle(ChatSession session, List<Message> history) {
    boolean goesOnWith(List<Message> messages) {
      return history.size() < messages.size()
          && messages.subList(0, history.size()).equals(history);
    }
  }

  /**
   * @param most sessions to keep, at least 0
   */
  IdleSessions(int most) {
    this.most = most;
  }

  /** Takes out the session that has read the most of these messages, if one has read its last. */
  synchronized Optional<ChatSession> take(List<Message> messages) {
    Optional<Idle> best =
        sessions.stream()
            .filter(idle -> idle.goesOnWith(messages))
            .max(Comparator.comparingInt(idle -> idle.history().size()));
    best.ifPresent(sessions::remove);
    return best.map(Idle::session);
  }

  /** Keeps a session, and lets the oldest go if there are too many. */
  synchronized void add(ChatSession session) {
    sessions.addFirst(new Idle(session, session.history()));
    if (sessions.size() > most) {
      sessions.removeLast();
    }
  }
}
