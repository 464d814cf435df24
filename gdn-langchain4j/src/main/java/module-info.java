/** The chat models of LangChain4j over {@code dev.gdn.model}. */
module dev.gdn.langchain4j {
  requires transitive dev.gdn.model;
  requires transitive langchain4j.core;
  requires com.fasterxml.jackson.databind;

  exports dev.gdn.langchain4j;
}
