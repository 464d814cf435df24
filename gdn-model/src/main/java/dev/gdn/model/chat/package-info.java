/**
 * Conversations as text: messages and tools in, a prompt out ({@link
 * dev.gdn.model.chat.ChatTemplate}); the model's output in, its reasoning, answer and tool calls
 * out ({@link dev.gdn.model.chat.OutputParser}). For programs that embed the library and for the
 * command.
 */
package dev.gdn.model.chat;
