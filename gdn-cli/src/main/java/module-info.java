/** The {@code gdn} command. It exports nothing; picocli fills the fields of its commands. */
module dev.gdn.cli {
  requires dev.gdn.demo;
  requires dev.gdn.model;
  requires com.fasterxml.jackson.databind;
  requires info.picocli;
  requires me.tongfei.progressbar;
  requires org.jline.reader;
  requires org.jline.terminal;

  opens dev.gdn.cli to
      info.picocli;
}
