package dev.gdn.langchain4j;

import dev.gdn.model.LanguageModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.common.AbstractChatModelIT;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;

/**
 * The framework's own tests of chat models, with a model that says what they want to hear. Not run:
 * those of a JSON response format, since the model's knowledge cannot be scripted within a schema;
 * {@link GdnChatModelTest} has such tests. Of what is not supported, those run that want it
 * refused.
 */
@Timeout(60)
class PublishedChatModelTest extends AbstractChatModelIT {
  private final LanguageModel model = Script.openModel();

  @AfterAll
  void close() {
    model.close();
  }

  private GdnModelBuilder<GdnChatModel> builder() {
    return Script.builder(GdnChatModel.builder(), model, Script::publishedAnswer);
  }

  @Override
  protected List<ChatModel> models() {
    return List.of(builder().build());
  }

  @Override
  protected ChatModel createModelWith(ChatRequestParameters parameters) {
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
  protected void should_respect_JSON_response_format(ChatModel model) {}

  @Override
  protected void should_respect_JSON_response_format_with_schema(ChatModel model) {}

  @Override
  protected void should_respect_JsonRawSchema_responseFormat(ChatModel model) {}
}
