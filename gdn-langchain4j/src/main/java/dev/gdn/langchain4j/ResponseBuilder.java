package dev.gdn.langchain4j;

import dev.gdn.model.ChatReply;
import dev.gdn.model.generation.TokenCounts;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.ChatResponseMetadata;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Collects what a reply consists of. Used by one thread at a time. */
final class ResponseBuilder {
  private final String modelName;
  private final StringBuilder text = new StringBuilder();
  private final List<ToolExecutionRequest> calls = new ArrayList<>();

  ResponseBuilder(String modelName) {
    this.modelName = modelName;
  }

  /** Adds to the answer. */
  void add(String piece) {
    text.append(piece);
  }

  /** Whether there is some of the answer. */
  boolean hasText() {
    return !text.isEmpty();
  }

  /** Adds a call; returns its index. */
  int add(ToolExecutionRequest call) {
    calls.add(call);
    return calls.size() - 1;
  }

  /** The response. It has no text, rather than an empty one, if there is no answer but calls. */
  ChatResponse build(ChatReply reply) {
    TokenCounts counts = reply.result().counts();
    return ChatResponse.builder()
        .aiMessage(
            AiMessage.builder()
                .text(text.isEmpty() && !calls.isEmpty() ? null : text.toString())
                .thinking(reply.message().reasoning().orElse(null))
                .toolExecutionRequests(calls)
                .build())
        .metadata(
            ChatResponseMetadata.builder()
                .id(UUID.randomUUID().toString())
                .modelName(modelName)
                .tokenUsage(new TokenUsage(counts.prompt(), counts.generated()))
                .finishReason(finishReason(reply))
                .build())
        .build();
  }

  private FinishReason finishReason(ChatReply reply) {
    return switch (reply.result().finishReason()) {
      case STOP_TOKEN, STOP_STRING, CONSTRAINT_MET ->
          calls.isEmpty() ? FinishReason.STOP : FinishReason.TOOL_EXECUTION;
      case MAX_TOKENS, CONTEXT_FULL -> FinishReason.LENGTH;
      case CANCELLED -> FinishReason.OTHER;
    };
  }
}
