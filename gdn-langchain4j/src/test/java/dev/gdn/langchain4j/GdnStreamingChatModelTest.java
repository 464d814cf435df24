package dev.gdn.langchain4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.generation.GenerationOptions;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GdnStreamingChatModelTest {
  private static LanguageModel model;

  @BeforeAll
  static void open() {
    model = Script.openModel();
  }

  @AfterAll
  static void close() {
    model.close();
  }

  private static GdnStreamingChatModel telling(int tokens) {
    return GdnStreamingChatModel.builder()
        .model(model)
        .generationOptions(GenerationOptions.greedy().withMaxTokens(tokens))
        .build();
  }

  /** Keeps all that it is told. */
  private static class Listening implements StreamingChatResponseHandler {
    final List<String> pieces = new CopyOnWriteArrayList<>();
    final List<String> thoughts = new CopyOnWriteArrayList<>();
    final CompletableFuture<ChatResponse> response = new CompletableFuture<>();

    @Override
    public void onPartialResponse(PartialResponse piece, PartialResponseContext context) {
      pieces.add(piece.text());
    }

    @Override
    public void onPartialThinking(PartialThinking piece) {
      thoughts.add(piece.text());
    }

    @Override
    public void onCompleteResponse(ChatResponse whole) {
      response.complete(whole);
    }

    @Override
    public void onError(Throwable error) {
      response.completeExceptionally(error);
    }
  }

  @Test
  void piecesTogetherAreTheResponse() throws Exception {
    GdnStreamingChatModel chat =
        Script.builder(GdnStreamingChatModel.builder(), model, Script.always("\n\nYes."))
            .thinking(true)
            .build();
    Listening handler = new Listening();
    chat.chat("hello", handler);
    ChatResponse response = handler.response.get(60, TimeUnit.SECONDS);
    assertEquals("Yes.", response.aiMessage().text());
    assertEquals("Yes.", String.join("", handler.pieces));
    assertEquals(Script.THOUGHT, response.aiMessage().thinking());
    assertEquals(Script.THOUGHT, String.join("", handler.thoughts));
    assertTrue(handler.thoughts.size() > 1);
  }

  @Test
  void afterCancellingTheHandlerHearsNoMore() throws Exception {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    Listening handler =
        new Listening() {
          @Override
          public void onPartialResponse(PartialResponse piece, PartialResponseContext context) {
            super.onPartialResponse(piece, context);
            context.streamingHandle().cancel();
            thread.complete(Thread.currentThread());
          }
        };
    telling(20_000).chat("Once upon", handler);
    thread.get(60, TimeUnit.SECONDS).join(30_000);
    assertFalse(thread.get().isAlive());
    assertEquals(1, handler.pieces.size());
    assertThrows(TimeoutException.class, () -> handler.response.get(1, TimeUnit.MILLISECONDS));
  }

  @Test
  void anErrorOfTheHandlerEndsTheReply() {
    AssertionError error = new AssertionError("of the handler");
    Listening handler =
        new Listening() {
          @Override
          public void onPartialResponse(PartialResponse piece, PartialResponseContext context) {
            super.onPartialResponse(piece, context);
            throw error;
          }
        };
    telling(20_000).chat("Once upon", handler);
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> handler.response.get(60, TimeUnit.SECONDS));
    assertEquals(error, failure.getCause());
    assertEquals(1, handler.pieces.size());
  }

  @Test
  void failuresGoToOnError() {
    Listening handler = new Listening();
    telling(5).chat("word ".repeat(model.context()), handler);
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> handler.response.get(60, TimeUnit.SECONDS));
    assertInstanceOf(InvalidRequestException.class, failure.getCause());
  }
}
