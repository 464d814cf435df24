package dev.gdn.cli;

import dev.gdn.model.ChatReply;
import dev.gdn.model.ChatSession;
import dev.gdn.model.ChatTurn;
import dev.gdn.model.chat.OutputEvent;
import dev.gdn.model.chat.Transcript;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.error.SessionFileException;
import dev.gdn.model.error.TemplateException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads lines, answers them, and does what lines that begin with a slash ask for. */
final class ChatLoop {
  private static final String HELP =
      """
      /reset      begin anew
      /undo       take the last message and its answer back
      /save FILE  write the messages to a file, as JSON, and the model's state to FILE.state
      /load FILE  go on from such files; with a state, nothing is read again
      /stats      tokens and speed of the last answer, and what is held
      /help       this list
      /exit       end the chat, as Ctrl-D does
      A message that begins with a slash is written with two.\
      """;

  private final ChatSession chat;
  private final Optional<String> system;
  private final ChatInput input;
  private final Path model;
  private Optional<ChatReply> last = Optional.empty();

  /**
   * @param system instructions that every conversation begins with
   * @param model what no conversation is saved over
   */
  ChatLoop(ChatSession chat, Optional<String> system, ChatInput input, Path model) {
    this.chat = chat;
    this.system = system;
    this.input = input;
    this.model = model;
    begin();
  }

  private void begin() {
    chat.restore(system.map(dev.gdn.model.chat.Message::system).map(List::of).orElse(List.of()));
  }

  void run() {
    boolean goesOn = true;
    while (goesOn && !input.isAbandoned()) {
      Optional<String> line = input.readLine();
      goesOn = line.isPresent() && obey(line.get());
    }
  }

  /** Does what a line says; false if that is to end. */
  private boolean obey(String line) {
    String[] words = line.strip().split("\\s+", 2);
    String argument = words.length > 1 ? words[1].strip() : "";
    if (line.startsWith("//") || !line.startsWith("/")) {
      if (!line.isBlank()) {
        answer(line.startsWith("//") ? line.substring(1) : line);
      }
      return true;
    }
    switch (words[0]) {
      case "/save", "/load" -> transfer(words[0], argument);
      case "/exit", "/quit", "/help", "/reset", "/undo", "/stats" -> {
        if (argument.isEmpty()) {
          return obeyWord(words[0]);
        }
        input.note("%s: expected nothing behind it, found %s".formatted(words[0], argument));
      }
      default -> input.note("unknown: %s; /help lists what there is".formatted(words[0]));
    }
    return true;
  }

  private boolean obeyWord(String command) {
    switch (command) {
      case "/help" -> input.note(HELP);
      case "/reset" -> {
        begin();
        last = Optional.empty();
        input.note("begun anew");
      }
      case "/undo" -> input.note(chat.undo() ? "taken back" : "there is nothing to take back");
      case "/stats" -> input.note(statistics());
      default -> {
        return false;
      }
    }
    return true;
  }

  private String statistics() {
    return "%s%n%s, %s held%s"
        .formatted(
            last.map(reply -> Statistics.line(reply.result())).orElse("no answer yet"),
            messages(),
            Message.count(chat.heldTokens(), "token"),
            chat.holdsTakenBack() ? " of what was before" : "");
  }

  private String messages() {
    return Message.count(chat.history().size(), "message");
  }

  private void transfer(String command, String argument) {
    if (argument.isEmpty()) {
      input.note("%s: expected a file, found none".formatted(command));
      return;
    }
    try {
      Path file = Path.of(argument);
      if (command.equals("/save")) {
        Outputs.checkApartFromModel(file, "/save", model);
        Outputs.checkApartFromModel(ChatSession.stateFile(file), "/save", model);
        chat.save(file);
        input.note(
            "%s written to %s, their state to %s"
                .formatted(messages(), file, ChatSession.stateFile(file)));
      } else {
        load(file);
      }
    } catch (IOException e) {
      String problem = command.equals("/save") ? "cannot be written" : "cannot be read";
      input.note(Message.line(FileProblem.of(concerned(e, argument), problem, e).getMessage()));
    } catch (IllegalArgumentException | InputException e) {
      input.note(Message.line(e.getMessage()));
    }
  }

  // The messages' file or the state's.
  private static Path concerned(IOException e, String argument) {
    boolean known = e instanceof FileSystemException f && f.getFile() != null;
    return Path.of(known ? ((FileSystemException) e).getFile() : argument);
  }

  // Messages fit any model, a state one alone. No messages without a state are nothing to go on
  // from, and not what /save writes.
  private void load(Path file) throws IOException {
    try {
      chat.load(file);
      input.note(
          "%s read from %s, and a state of %s"
              .formatted(messages(), file, Message.count(chat.heldTokens(), "token")));
    } catch (SessionFileException e) {
      List<dev.gdn.model.chat.Message> read = Transcript.read(file);
      if (read.isEmpty()) {
        input.note(file + ": expected messages, found an empty list");
        return;
      }
      chat.restore(read);
      input.note(
          "%s read from %s; they will be read again, for there is no state to go on from:"
                  .formatted(messages(), file)
              + " "
              + Message.line(e.getMessage()));
    }
    last = Optional.empty();
  }

  private void answer(String text) {
    try {
      ChatTurn turn = chat.start(dev.gdn.model.chat.Message.user(text));
      input.interruptibly(() -> show(turn), turn::cancel);
      last = Optional.of(turn.reply());
      Statistics.cutOff(turn.reply().result(), chat.settings().generation()).ifPresent(input::note);
    } catch (ContextFullException | TemplateException e) {
      input.note(e.getMessage());
    }
  }

  private void show(ChatTurn turn) {
    boolean thinks = false;
    String lineEnd = ""; // before a call
    while (turn.hasNext()) {
      OutputEvent event = turn.next();
      boolean thought = event instanceof OutputEvent.Reasoning;
      if (thought != thinks) {
        input.print(thought ? "<think>\n" : "\n</think>\n\n");
        thinks = thought;
      }
      switch (event) {
        case OutputEvent.Reasoning more -> input.print(more.text());
        case OutputEvent.Answer more -> input.print(more.text());
        case OutputEvent.Call call -> input.print(lineEnd + call.call());
        case OutputEvent.BrokenCall call -> input.print(lineEnd + call.text());
      }
      lineEnd = thought ? "" : "\n";
      if (input.isAbandoned()) {
        turn.cancel();
      }
    }
    input.print("\n");
  }
}
