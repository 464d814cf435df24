package dev.gdn.model.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenizerJsonTest {
  private static final String TEXT = "Once upon a time there was a king";

  private final ObjectMapper mapper = new ObjectMapper();
  @TempDir private Path folder;
  private ObjectNode json;

  @BeforeEach
  void readTheDemonstrationTokenizer() throws IOException {
    json = (ObjectNode) mapper.readTree(TokenizerFiles.DEMO.toFile());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/model/type | \"Unigram\" | model.type: expected \"BPE\", found \"Unigram\"",
        "/model/dropout | 0.1 | model.dropout: expected none, found 0.1",
        "/model/byte_fallback | true | model.byte_fallback: expected false, found true",
        "/model/end_of_word_suffix | \"</w>\" | model.end_of_word_suffix: expected no text",
        "/model/vocab | 3 | model.vocab: expected an object, found 3",
        "/model/vocab/the | -1 | model.vocab.the: expected a whole number",
        "/model/vocab/zzz | 400000000 | token \"zzz\": expected an id from 0 to 4194303",
        "/model/vocab/zzz | 7 | have the same id, 7",
        "/model/merges | null | model.merges: missing",
        "/model/merges/3 | [\"a\"] | model.merges[3]: expected two tokens, found [a]",
        "/model/merges/3 | [\"Q\", \"Z\"] | merges[3]: \"Q\" with \"Z\": the vocabulary has no",
        "/model/merges/3 | {} | model.merges[3]: expected a list of strings, found {}",
        "/normalizer/type | \"NFKC\" | normalizer.type: expected \"NFC\", found \"NFKC\"",
        "/pre_tokenizer | null | pre_tokenizer: missing",
        "/pre_tokenizer/pretokenizers/0/behavior | \"Removed\" | behavior: expected \"Isolated\"",
        "/pre_tokenizer/pretokenizers/0/invert | true | invert: expected false, found true",
        "/pre_tokenizer/pretokenizers/0/pattern/Regex | \"(a\" | unsupported split pattern \"(a\"",
        "/pre_tokenizer/pretokenizers/1/use_regex | true | use_regex: expected false, found true",
        "/decoder/type | \"Metaspace\" | decoder.type: expected \"ByteLevel\"",
        "/post_processor/type | \"RobertaProcessing\" | post_processor.type: expected ByteLevel",
        "/post_processor/single/0 | {\"SpecialToken\": {}} | post_processor.single: expected the",
        "/added_tokens/1/lstrip | true | added_tokens[1].lstrip: expected false, found true",
        "/added_tokens/1/rstrip | true | added_tokens[1].rstrip: expected false, found true",
        "/added_tokens/1/single_word | true | added_tokens[1].single_word: expected false",
        "/added_tokens/1/content | null | added_tokens[1].content: missing",
        "/model/continuing_subword_prefix | \"##\" | continuing_subword_prefix: expected no text",
        "/pre_tokenizer/type | \"Split\" | pre_tokenizer.type: expected \"Sequence\"",
        "/pre_tokenizer/pretokenizers | null | pre_tokenizer.pretokenizers: missing",
        "/pre_tokenizer/pretokenizers/0/type | \"Digits\" | type: expected \"Split\"",
        "/pre_tokenizer/pretokenizers/1/type | \"Metaspace\" | type: expected \"ByteLevel\"",
        "/pre_tokenizer/pretokenizers/1/add_prefix_space | true | add_prefix_space: expected false",
        "/pre_tokenizer/pretokenizers/0/pattern | {\"String\": \"a\"} | pattern.Regex: missing",
        "/post_processor | {\"type\": \"TemplateProcessing\"} | post_processor.single: missing",
        "/post_processor | {\"type\": \"Sequence\"} | post_processor.processors: missing",
        "/post_processor | {\"type\": \"Sequence\", \"processors\": [{\"type\": \"X\"}]} | type:"
            + " expected",
        "/added_tokens/1/id | 4032 | have the same id, 4032",
        "/added_tokens/1/content | \"\" | added token 4033: its text is empty",
        "/added_tokens/1/content | \"the\" | token \"the\" has two ids",
      })
  void refusesByName(String pointer, String value, String expected) throws IOException {
    set(pointer, mapper.readTree(value));
    refuses(expected);
  }

  @Test
  void refusesAVocabularyWithoutAByte() throws IOException {
    ((ObjectNode) json.at("/model/vocab")).remove("Ā");
    refuses("no token for byte 0x00, \"Ā\"");
  }

  @Test
  void refusesAMergeListedTwice() throws IOException {
    ArrayNode merges = (ArrayNode) json.at("/model/merges");
    merges.add(merges.get(5));
    refuses("listed before, at 5");
  }

  @Test
  void refusesATokenListedTwice() throws IOException {
    String text = mapper.writeValueAsString(json).replace("\"vocab\":{", "\"vocab\":{\"the\":9,");
    assertTrue(refusal(text).getMessage().contains("the"));
  }

  @Test
  void refusesATruncatedFile() throws IOException {
    String text = mapper.writeValueAsString(json);
    refusal(text.substring(0, text.length() / 2));
  }

  @Test
  void namesAMissingFile() {
    Path missing = folder.resolve("nowhere.json");
    String message =
        assertThrows(CheckpointException.class, () -> Tokenizer.read(missing)).getMessage();
    assertTrue(message.contains("nowhere.json"), message);
  }

  @Test
  void readsMergesOfEitherForm() throws IOException {
    int[] ids = Tokenizer.read(TokenizerFiles.DEMO).encode(TEXT);
    ArrayNode merges = (ArrayNode) json.at("/model/merges");
    for (int i = 0; i < merges.size(); i++) {
      JsonNode pair = merges.get(i);
      merges.set(i, pair.get(0).textValue() + " " + pair.get(1).textValue());
    }
    assertArrayEquals(ids, Tokenizer.read(write(mapper.writeValueAsString(json))).encode(TEXT));
  }

  @Test
  void composesOnlyIfTheFileSaysSo() throws IOException {
    int[] composed = Tokenizer.read(TokenizerFiles.DEMO).encode("e\u0301");
    assertArrayEquals(Tokenizer.read(TokenizerFiles.DEMO).encode("é"), composed);
    json.remove("normalizer");
    Tokenizer raw = Tokenizer.read(write(mapper.writeValueAsString(json)));
    assertFalse(Arrays.equals(composed, raw.encode("e\u0301")));
    assertArrayEquals(composed, raw.encode("é"));
  }

  @Test
  void takesPostProcessorsThatAddNothing() throws IOException {
    int[] ids = Tokenizer.read(TokenizerFiles.DEMO).encode(TEXT);
    String both =
        """
        {"type": "Sequence", "processors": [
          {"type": "ByteLevel"},
          {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}]}]}
        """;
    for (String processor : new String[] {"null", "{\"type\": \"ByteLevel\"}", both}) {
      set("/post_processor", mapper.readTree(processor));
      assertArrayEquals(ids, Tokenizer.read(write(mapper.writeValueAsString(json))).encode(TEXT));
    }
  }

  @Test
  void takesWholePiecesFirstWhereMergesAreIgnored() throws IOException {
    // No merge makes this token; only a piece that is the token as a whole can become it.
    set("/model/vocab/Ġxylophone", mapper.readTree("4035"));
    int whole = 4035;
    int[] merged = Tokenizer.read(write(mapper.writeValueAsString(json))).encode(" xylophone");
    assertTrue(merged.length > 1);
    set("/model/ignore_merges", mapper.readTree("true"));
    Tokenizer ignoring = Tokenizer.read(write(mapper.writeValueAsString(json)));
    assertArrayEquals(new int[] {whole}, ignoring.encode(" xylophone"));
  }

  private void set(String pointer, JsonNode value) {
    int slash = pointer.lastIndexOf('/');
    JsonNode parent = json.at(pointer.substring(0, slash));
    String key = pointer.substring(slash + 1);
    if (parent instanceof ArrayNode array) {
      array.set(Integer.parseInt(key), value);
    } else {
      ((ObjectNode) parent).set(key, value);
    }
  }

  private void refuses(String expected) throws IOException {
    String message = refusal(mapper.writeValueAsString(json)).getMessage();
    assertTrue(message.contains(expected), message);
  }

  private CheckpointException refusal(String text) throws IOException {
    Path file = write(text);
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> Tokenizer.read(file));
    assertTrue(refusal.getMessage().startsWith(file.toString()), refusal.getMessage());
    return refusal;
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("tokenizer.json"), text);
  }
}
