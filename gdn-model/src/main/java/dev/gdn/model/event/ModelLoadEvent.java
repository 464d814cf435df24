package dev.gdn.model.event;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A checkpoint that is opened: begun before its first file is read. */
@Name("dev.gdn.ModelLoad")
@Label("Model Load")
@Description("A checkpoint was opened")
@Category("gdn")
@StackTrace(false)
public final class ModelLoadEvent extends Event {
  @Label("Path")
  private String path;

  @Label("Kernels")
  private String kernels;

  @Label("Layers")
  private int layers;

  /** Ends the event and gives it to the recordings that want it. */
  public void opened(Path path, String kernels, int layers) {
    end();
    if (shouldCommit()) {
      this.path = path.toString();
      this.kernels = kernels;
      this.layers = layers;
      commit();
    }
  }
}
