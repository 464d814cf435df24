package dev.gdn.langchain4j;

import dev.gdn.model.LanguageModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.common.AbstractStreamingChatModelIT;
import dev.langchain4j.model.chat.common.StreamingMode;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.mockito.InOrder;

/**
 * The framework's own tests of chat models, with a model that says what they want to hear. Not run:
 * those of a JSON response format, since the model's knowledge cannot be scripted within a schema;
 * {@link GdnChatModelTest} has such tests. Of what is not supported, those run that want it
 * refused.
 */
@Timeout(60)
class PublishedStreamingChatModelTest extends AbstractStreamingChatModelIT {
  private final LanguageModel model = Script.openModel();

  @AfterAll
  void close() {
    model.close();
  }

  private GdnModelBuilder<GdnStreamingChatModel> builder() {
    return Script.builder(GdnStreamingChatModel.builder(), model, Script::publishedAnswer);
  }

  @Override
  protected List<StreamingChatModel> baseModels() {
    return List.of(builder().build());
  }

  @Override
  protected List<StreamingMode> streamingModes() {
    return List.of(StreamingMode.values());
  }

  @Override
  public StreamingChatModel createModelWith(ChatModelListener listener) {
    return Script.builder(GdnStreamingChatModel.builder(), model, Script::publishedAnswer, listener)
        .build();
  }

  /** It waits for 30 seconds; {@link GdnStreamingChatModelTest} has one that does not. */
  @Override
  protected boolean supportsStreamingCancellation() {
    return false;
  }

  /** Calls come whole. */
  @Override
  protected boolean supportsPartialToolStreaming(StreamingChatModel model) {
    return false;
  }

  @Override
  protected void verifyToolCallbacks(
      StreamingChatResponseHandler handler, InOrder order, String id) {
    order
        .verify(handler)
        .onCompleteToolCall(complete(0, id, "getWeather", "{\"city\":\"Munich\"}"));
  }

  @Override
  protected void verifyToolCallbacks(
      StreamingChatResponseHandler handler, InOrder order, String weather, String time) {
    verifyToolCallbacks(handler, order, weather);
    order
        .verify(handler)
        .onCompleteToolCall(complete(1, time, "getTime", "{\"country\":\"France\"}"));
  }

  @Override
  protected StreamingChatModel createModelWith(ChatRequestParameters parameters) {
    return builder().defaultRequestParameters(parameters).build();
  }

  @Override
  protected ChatRequestParameters createIntegrationSpecificParameters(int maxOutputTokens) {
    return new OtherParameters(maxOutputTokens);
  }

  @Override
  protected boolean supportsModelNameParameter() {
    return false;
  }

  @Override
  protected boolean supportsToolChoiceRequired() {
    return false;
  }

  @Override
  protected boolean supportsToolsAndJsonResponseFormatWithSchema() {
    return false;
  }

  @Override
  protected boolean supportsSingleImageInputAsBase64EncodedString() {
    return false;
  }

  @Override
  protected boolean supportsSingleImageInputAsPublicURL() {
    return false;
  }

  @Override
  protected void should_respect_JSON_response_format(StreamingChatModel model) {}

  @Override
  protected void should_respect_JSON_response_format_with_schema(StreamingChatModel model) {}

  @Override
  protected void should_respect_JsonRawSchema_responseFormat(StreamingChatModel model) {}
}
