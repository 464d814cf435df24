/** Checkpoints in, text out: configuration, weights, tokenizer, layers and generation. */
@SuppressWarnings("module") // the command, which is compiled later
module dev.gdn.model {
  requires transitive dev.gdn.core;
  requires com.fasterxml.jackson.databind;
  requires jdk.jfr;
  requires org.slf4j;

  exports dev.gdn.model;
  exports dev.gdn.model.bench;
  exports dev.gdn.model.chat;
  exports dev.gdn.model.checkpoint;
  exports dev.gdn.model.config;
  exports dev.gdn.model.error;
  exports dev.gdn.model.convert;
  exports dev.gdn.model.file to
      dev.gdn.cli;
  exports dev.gdn.model.generation;
  exports dev.gdn.model.gguf;
  exports dev.gdn.model.observer;
  exports dev.gdn.model.safetensors;
  exports dev.gdn.model.schema;
  exports dev.gdn.model.synth;
  exports dev.gdn.model.tokenizer;
}
