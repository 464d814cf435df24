package dev.gdn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.gguf.FileType;
import dev.gdn.model.observer.ForwardObserver;
import dev.gdn.model.synth.TinyCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a flight recording holds of the library's work. */
class FlightRecordingTest {
  private static final int[] PROMPT = IntStream.range(0, 40).toArray();

  @TempDir private Path folder;
  private Path checkpoint;

  @BeforeEach
  void writeCheckpoint() throws IOException {
    checkpoint = TinyCheckpoint.write(folder, FileType.F32);
  }

  private List<RecordedEvent> recorded(Runnable work) throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("dev.gdn."))
        .sorted((a, b) -> a.getEndTime().compareTo(b.getEndTime()))
        .toList();
  }

  @Test
  void aModelAPromptATokenAndWhatIsReusedAreRecorded() throws IOException {
    List<RecordedEvent> events =
        recorded(
            () -> {
              try (LanguageModel model = LanguageModel.open(checkpoint)) {
                model.newSession().read(PROMPT);
                Session session = model.newSession();
                session.read(IntStream.range(0, 50).toArray());
                session.decode(7);
              }
            });
    assertEquals(
        List.of(
            "dev.gdn.ModelLoad",
            "dev.gdn.PrefixReuse",
            "dev.gdn.Prefill",
            "dev.gdn.PrefixReuse",
            "dev.gdn.Prefill",
            "dev.gdn.Decode"),
        events.stream().map(event -> event.getEventType().getName()).toList());
    RecordedEvent load = events.get(0);
    assertEquals(checkpoint.toString(), load.getString("path"));
    assertEquals(4, load.getInt("layers"));
    assertTrue(load.getDuration().isPositive());
    assertEquals(0, events.get(1).getInt("reusedTokens"));
    RecordedEvent reuse = events.get(3);
    assertEquals(50, reuse.getInt("promptTokens"));
    assertEquals(40, reuse.getInt("reusedTokens"));
    assertPrefill(events.get(2), 0, 40, true);
    assertPrefill(events.get(4), 40, 10, true);
    assertTrue(events.get(4).getDuration().isPositive());
    assertEquals(50, events.get(5).getInt("position"));
  }

  @Test
  void aPromptThatIsCancelledIsNotComplete() throws IOException {
    ForwardObserver cancel =
        new ForwardObserver() {
          @Override
          public boolean isCancelled() {
            return true;
          }
        };
    List<RecordedEvent> events =
        recorded(
            () -> {
              try (LanguageModel model = LanguageModel.open(checkpoint)) {
                Session session = model.newSession();
                assertThrows(CancellationException.class, () -> session.prefill(PROMPT, cancel));
              }
            });
    assertPrefill(events.get(1), 0, 0, false);
  }

  private static void assertPrefill(
      RecordedEvent event, int position, int tokens, boolean complete) {
    assertEquals(position, event.getInt("position"));
    assertEquals(tokens, event.getInt("tokens"));
    assertEquals(complete, event.getBoolean("complete"));
  }
}
