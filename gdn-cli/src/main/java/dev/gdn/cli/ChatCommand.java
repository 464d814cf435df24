package dev.gdn.cli;

import dev.gdn.model.ChatSession;
import dev.gdn.model.ChatSettings;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.chat.ChatTemplate;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "chat",
    description = {
      "Talks with a model: each line is a message, answers come as they are generated.",
      "A model without a chat template continues what was said, each message on a new line.",
      "/help lists what else can be typed. Ctrl-C stops an answer, Ctrl-D ends the chat.",
      "With lines from a pipe, answers alone go to standard output, each ended by a line break."
    })
final class ChatCommand extends BaseCommand {
  @Mixin private ModelOption model;

  @Mixin private QuantizeOption quantize;

  @Option(names = "--system", paramLabel = "TEXT", description = "Instructions for the model.")
  private String system;

  @Option(
      names = "--thinking",
      arity = "1",
      paramLabel = "true|false",
      description = "Whether to think before an answer; the chat template must know of it.")
  private Boolean thinking;

  @Mixin private SamplingFlags sampling;

  @Mixin private ConstraintOption constraint;

  @Override
  void run(PrintWriter out) {
    try (LanguageModel opened = model.open(quantize);
        ChatInput input = input(out)) {
      opened.tokenizer(); // one that is missing is told before a message is typed
      ChatSettings settings = ChatSettings.of(constraint.applyTo(sampling.options(opened), opened));
      ChatTemplate template = opened.chatTemplate().orElseGet(ChatTemplate::plain);
      if (thinking != null) {
        if (!template.takesThinking()) {
          throw new InputException(
              "--thinking: expected a model whose chat template knows of thoughts, found one %s"
                  .formatted(
                      opened.chatTemplate().isPresent() ? "that does not" : "without a template"));
        }
        settings = settings.withThinking(thinking);
      }
      if (opened.chatTemplate().isEmpty()) {
        input.note("(no chat template: this model continues your text rather than answering it)");
      }
      ChatSession chat = new ChatSession(opened, template, settings);
      new ChatLoop(chat, Optional.ofNullable(system), input, model.path()).run();
    }
  }

  private ChatInput input(PrintWriter out) {
    if (isOnTerminal()) {
      return new TerminalChat();
    }
    return new PipedChat(new LineInput(System.in), out, err());
  }
}
