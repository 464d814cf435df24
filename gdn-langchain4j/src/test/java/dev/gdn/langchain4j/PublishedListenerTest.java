package dev.gdn.langchain4j;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.chat.ChatTemplate;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.common.AbstractChatModelListenerIT;
import dev.langchain4j.model.chat.common.AbstractStreamingChatModelListenerIT;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/** The framework's own tests of listeners. */
@Timeout(60)
class PublishedListenerTest {
  private static LanguageModel model;

  @BeforeAll
  static void open() {
    model = Script.openModel();
  }

  @AfterAll
  static void close() {
    model.close();
  }

  private static <M> GdnModelBuilder<M> builder(
      GdnModelBuilder<M> builder, ChatModelListener listener) {
    return Script.builder(builder, model, Script.always("hi there"), listener)
        .modelName("ours")
        .defaultRequestParameters(
            ChatRequestParameters.builder().temperature(0.7).topP(1.0).maxOutputTokens(7).build());
  }

  private static <M> M failing(GdnModelBuilder<M> builder, ChatModelListener listener) {
    return builder(builder, listener)
        .chatTemplate(ChatTemplate.parse("{{ raise_exception('no') }}", Map.of()))
        .build();
  }

  @Nested
  class OfChatModels extends AbstractChatModelListenerIT {
    @Override
    protected ChatModel createModel(ChatModelListener listener) {
      return builder(GdnChatModel.builder(), listener).build();
    }

    @Override
    protected String modelName() {
      return "ours";
    }

    @Override
    protected ChatModel createFailingModel(ChatModelListener listener) {
      return failing(GdnChatModel.builder(), listener);
    }

    @Override
    protected Class<? extends Exception> expectedExceptionClass() {
      return InvalidRequestException.class;
    }
  }

  @Nested
  class OfStreamingChatModels extends AbstractStreamingChatModelListenerIT {
    @Override
    protected StreamingChatModel createModel(ChatModelListener listener) {
      return builder(GdnStreamingChatModel.builder(), listener).build();
    }

    @Override
    protected String modelName() {
      return "ours";
    }

    @Override
    protected StreamingChatModel createFailingModel(ChatModelListener listener) {
      return failing(GdnStreamingChatModel.builder(), listener);
    }

    @Override
    protected Class<? extends Exception> expectedExceptionClass() {
      return InvalidRequestException.class;
    }
  }
}
