package dev.gdn.model.tokenizer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The heap gives what the definition gives: merge the leftmost pair of lowest rank, and again. */
class BytePairEncoderTest {
  @Test
  void mergesAsTheDefinitionDoesWhateverTheOrderOfMergesAndIds() {
    Random random = new Random(5);
    for (int round = 0; round < 200; round++) {
      List<Merge> merges = new ArrayList<>();
      Map<String, Integer> ids = new HashMap<>();
      List<String> tokens = new ArrayList<>(List.of("a", "b", "c"));
      tokens.forEach(token -> ids.put(token, ids.size()));
      while (merges.size() < 30) {
        String left = tokens.get(random.nextInt(tokens.size()));
        String right = tokens.get(random.nextInt(tokens.size()));
        Merge merge = new Merge(left, right);
        if (left.length() + right.length() < 9 && !merges.contains(merge)) {
          merges.add(random.nextInt(merges.size() + 1), merge);
          if (ids.putIfAbsent(left + right, ids.size()) == null) {
            tokens.add(left + right);
          }
        }
      }
      int[] byteIds = new int[256];
      "abc".chars().forEach(letter -> byteIds[letter] = letter - 'a');
      BytePairEncoder encoder =
          new BytePairEncoder(byteIds, MergeTable.of(merges, ids, ids.size()));
      for (int piece = 0; piece < 20; piece++) {
        StringBuilder text = new StringBuilder();
        random.ints(1 + random.nextInt(60), 'a', 'd').forEach(letter -> text.append((char) letter));
        Ids encoded = new Ids();
        encoder.encode(text.toString().getBytes(StandardCharsets.UTF_8), encoded);
        assertArrayEquals(byDefinition(text.toString(), merges, ids), encoded.toArray());
      }
    }
  }

  private static int[] byDefinition(String text, List<Merge> merges, Map<String, Integer> ids) {
    List<String> parts = new ArrayList<>(List.of(text.split("")));
    while (true) {
      int best = -1;
      int bestRank = merges.size();
      for (int i = 0; i + 1 < parts.size(); i++) {
        int rank = merges.indexOf(new Merge(parts.get(i), parts.get(i + 1)));
        if (rank >= 0 && rank < bestRank) {
          best = i;
          bestRank = rank;
        }
      }
      if (best < 0) {
        return parts.stream().mapToInt(ids::get).toArray();
      }
      parts.set(best, parts.get(best) + parts.remove(best + 1));
    }
  }
}
