package dev.gdn.langchain4j;

import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;

/** Parameters of another model, as a program may have them that changes over to ours. */
final class OtherParameters extends DefaultChatRequestParameters {
  private static final class Builder extends DefaultChatRequestParameters.Builder<Builder> {}

  OtherParameters(int maxOutputTokens) {
    super(new Builder().maxOutputTokens(maxOutputTokens));
  }
}
