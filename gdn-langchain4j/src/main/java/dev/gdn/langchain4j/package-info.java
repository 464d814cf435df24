/**
 * The chat models of LangChain4j, answered by a {@link dev.gdn.model.LanguageModel} in the same
 * process. For programs that are written to that framework.
 */
package dev.gdn.langchain4j;
