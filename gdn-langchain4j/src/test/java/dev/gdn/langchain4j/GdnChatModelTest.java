package dev.gdn.langchain4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gdn.model.ChatSettings;
import dev.gdn.model.ChatTurn;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.generation.Constraint;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.TokenCounts;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.request.json.JsonAnyOfSchema;
import dev.langchain4j.model.chat.request.json.JsonBooleanSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonNullSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonReferenceSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GdnChatModelTest {
  private static final ToolSpecification NOTE =
      ToolSpecification.builder()
          .name("note")
          .parameters(
              JsonObjectSchema.builder()
                  .addStringProperty("text")
                  .addIntegerProperty("times")
                  .build())
          .build();

  private static LanguageModel model;

  @BeforeAll
  static void open() {
    model = Script.openModel();
  }

  @AfterAll
  static void close() {
    model.close();
  }

  private static GdnModelBuilder<GdnChatModel> saying(String answer) {
    return Script.builder(GdnChatModel.builder(), model, Script.always(answer));
  }

  /** The model as it is: it continues the text. */
  private static GdnModelBuilder<GdnChatModel> plain() {
    return GdnChatModel.builder()
        .model(model)
        .generationOptions(GenerationOptions.greedy().withMaxTokens(12));
  }

  private static ChatRequest request(
      UnaryOperator<ChatRequest.Builder> more, ChatMessage... messages) {
    return more.apply(ChatRequest.builder().messages(messages)).build();
  }

  private static ChatRequest hello(UnaryOperator<ChatRequest.Builder> more) {
    return request(more, UserMessage.from("hello"));
  }

  private static String answer(GdnChatModel chat, UnaryOperator<ChatRequest.Builder> more) {
    return chat.chat(hello(more)).aiMessage().text();
  }

  @Test
  void aCheckpointWithoutATemplateContinuesTheText() {
    String expected =
        model
            .generate("Once upon", GenerationOptions.greedy().withMaxTokens(12), text -> {})
            .text();
    assertEquals(expected, plain().build().chat("Once upon"));
  }

  @Test
  void thoughtsAreKeptApartAndGoBackToTheTemplate() {
    GdnChatModel chat = saying("\n\nYes.").thinking(true).build();
    AiMessage answer = chat.chat(hello(r -> r)).aiMessage();
    assertEquals(Script.THOUGHT, answer.thinking());
    assertEquals("Yes.", answer.text());
    assertEquals(
        List.of(Script.THOUGHT),
        MessageMapper.map(List.of(answer)).stream()
            .map(m -> m.toJson().get("reasoning_content"))
            .toList());
  }

  @Test
  void argumentsAreTypedByTheToolsSchema() {
    String call = Script.call("note", Map.of("text", "02134"));
    ToolExecutionRequest made =
        saying("Let me see.\n" + call)
            .build()
            .chat(hello(r -> r.toolSpecifications(NOTE)))
            .aiMessage()
            .toolExecutionRequests()
            .getFirst();
    assertEquals("{\"text\":\"02134\"}", made.arguments());
    assertFalse(made.id().isBlank());
  }

  @Test
  void aCallThatCannotBeMadeIsText() {
    String call = Script.call("unknown", Map.of());
    ChatResponse response =
        saying("See: " + call + " So.").build().chat(hello(r -> r.toolSpecifications(NOTE)));
    assertEquals(List.of(), response.aiMessage().toolExecutionRequests());
    assertEquals("See:\n" + call + " So.", response.aiMessage().text());
    assertEquals(FinishReason.STOP, response.finishReason());
  }

  @Test
  void toolsThatMayNotBeChosenAreNotShown() {
    GdnChatModel chat = saying("Hi.").build();
    int without = chat.chat(hello(r -> r)).tokenUsage().inputTokenCount();
    ChatResponse none =
        chat.chat(hello(r -> r.toolSpecifications(NOTE).toolChoice(ToolChoice.NONE)));
    ChatResponse shown = chat.chat(hello(r -> r.toolSpecifications(NOTE)));
    assertEquals(without, none.tokenUsage().inputTokenCount());
    assertTrue(shown.tokenUsage().inputTokenCount() > without + 50, shown.toString());
  }

  @Test
  void resultsStandInTheOrderOfTheCalls() {
    ToolExecutionRequest one =
        ToolExecutionRequest.builder().id("1").name("note").arguments("{}").build();
    ToolExecutionRequest two =
        ToolExecutionRequest.builder().id("2").name("note").arguments("").build();
    List<Object> contents =
        MessageMapper.map(
                List.of(
                    UserMessage.from("both"),
                    AiMessage.from(one, two),
                    ToolExecutionResultMessage.from(two, "second"),
                    ToolExecutionResultMessage.from(one, "first")))
            .stream()
            .map(message -> message.toJson().get("content"))
            .toList();
    assertEquals(List.of("both", "", "first", "second"), contents);
  }

  @Test
  void aConversationThatGoesOnReadsItsNewMessagesAlone() {
    int more = model.tokenizer().encode("\nmore").length;
    int lastToken = 1; // of the answer, which nothing has followed
    int whole = readInTheSecondTurn("Once upon a time there was", 0);
    assertEquals(more + lastToken, readInTheSecondTurn("In a wood there lived", 1));
    assertTrue(whole > more + lastToken, "read " + whole);
  }

  private static int readInTheSecondTurn(String text, int idleSessions) {
    Conversations conversations = new Conversations(model, ChatTemplate.plain(), idleSessions);
    GenerationOptions options = GenerationOptions.greedy().withMaxTokens(12);
    RequestMapper mapper = new RequestMapper(model, "gdn", ChatSettings.of(options));
    UserMessage first = UserMessage.from(text);
    Reply reply = new Reply(conversations, mapper.map(request(r -> r, first)), "gdn");
    AiMessage answer = reply.await().aiMessage();
    Request second = mapper.map(request(r -> r, first, answer, UserMessage.from("more")));
    ChatTurn turn = conversations.start(second).turn();
    turn.forEachRemaining(event -> {});
    TokenCounts counts = turn.reply().result().counts();
    return counts.prompt() - counts.reused();
  }

  @Test
  void parametersOfARequestGoBeforeTheDefaults() {
    GdnChatModel chat =
        saying("one two three four five six seven")
            .defaultRequestParameters(
                ChatRequestParameters.builder().maxOutputTokens(3).stopSequences("five").build())
            .build();
    assertEquals(FinishReason.LENGTH, chat.chat(hello(r -> r)).finishReason());
    assertEquals("one two three four ", answer(chat, r -> r.maxOutputTokens(100)));
    assertEquals("one", answer(chat, r -> r.maxOutputTokens(100).stopSequences(List.of(" two"))));
  }

  @Test
  void samplingParametersReachTheSampler() {
    GenerationOptions seeded = GenerationOptions.defaults().withMaxTokens(20).withSeed(1);
    GdnChatModel chat = plain().generationOptions(seeded).build();
    String text = "Once upon";
    assertEquals(model.generate(text, seeded, t -> {}).text(), chat.chat(text));
    assertEquals(
        model
            .generate(
                text,
                seeded.withTemperature(1.5f).withTopK(7).withTopP(0.5f).withPenalties(1, 2, 3),
                t -> {})
            .text(),
        chat.chat(
                request(
                    r ->
                        r.temperature(1.5)
                            .topK(7)
                            .topP(0.5)
                            .presencePenalty(2.0)
                            .frequencyPenalty(3.0),
                    UserMessage.from(text)))
            .aiMessage()
            .text());
  }

  private static ResponseFormat format(JsonSchemaElement root) {
    return ResponseFormat.builder()
        .type(ResponseFormatType.JSON)
        .jsonSchema(root == null ? null : JsonSchema.builder().name("n").rootElement(root).build())
        .build();
  }

  private static JsonNode json(JsonSchemaElement root) throws IOException {
    GdnChatModel chat =
        plain().generationOptions(GenerationOptions.defaults().withMaxTokens(600)).build();
    ChatResponse response = chat.chat(hello(r -> r.responseFormat(format(root))));
    assertEquals(FinishReason.STOP, response.finishReason(), response.toString());
    return new ObjectMapper().readTree(response.aiMessage().text());
  }

  @Test
  void answersFollowASchema() throws IOException {
    JsonNode node =
        json(
            JsonObjectSchema.builder()
                .addEnumProperty("kind", List.of("cat", "dog"))
                .addProperty(
                    "ages",
                    JsonAnyOfSchema.builder()
                        .anyOf(new JsonBooleanSchema(), new JsonIntegerSchema())
                        .build())
                .addProperty("child", JsonReferenceSchema.builder().reference("leaf").build())
                .definitions(
                    Map.of(
                        "leaf",
                        JsonObjectSchema.builder()
                            .addProperty("end", new JsonNullSchema())
                            .build()))
                .required("kind", "ages", "child")
                .additionalProperties(false)
                .build());
    assertTrue(List.of("cat", "dog").contains(node.get("kind").asText()), node.toString());
    assertTrue(
        node.get("ages").isBoolean() || node.get("ages").isIntegralNumber(), node.toString());
    assertTrue(node.get("child").isObject(), node.toString());
    assertTrue(json(JsonRawSchema.from("{\"enum\": [17]}")).asInt() == 17);
  }

  @Test
  void constraintsOfTheLatestSchemasAreKept() {
    Constraints constraints = new Constraints(model);
    Constraint first = constraints.of("{\"const\": 0}");
    for (int i = 0; i < 4; i++) {
      assertSame(first, constraints.of("{\"const\": 0}"));
      constraints.of("{\"const\": %d}".formatted(i));
    }
    for (int i = 1; i < 5; i++) {
      constraints.of("{\"const\": %d}".formatted(i));
    }
    assertNotSame(first, constraints.of("{\"const\": 0}"));
  }

  @Test
  void jsonWithoutASchemaIsAnObject() {
    GdnChatModel chat = plain().build();
    String text = answer(chat, r -> r.responseFormat(ResponseFormat.JSON));
    assertTrue(text.startsWith("{"), text);
  }

  @Test
  void whatCannotBeDoneIsRefused() {
    GdnChatModel chat = saying("Hi.").build();
    refused("strict", chat, r -> r.toolSpecifications(NOTE.toBuilder().strict(true).build()));
    refused(
        "together",
        chat,
        r -> r.toolSpecifications(NOTE).responseFormat(format(new JsonBooleanSchema())));
    refused(
        "schema",
        chat,
        r -> r.responseFormat(format(JsonRawSchema.from("{\"not\": {\"type\": \"null\"}}"))));
    refused("User", chat, r -> r.messages(UserMessage.from("User", "hello")));
    refused("CUSTOM", chat, r -> r.messages(CustomMessage.from(Map.of("a", "b"))));
    for (UnaryOperator<ChatRequest.Builder> bad :
        List.<UnaryOperator<ChatRequest.Builder>>of(
            r -> r.temperature(-1.0),
            r -> r.topP(Double.NaN),
            r -> r.topK(-1),
            r -> r.maxOutputTokens(-1),
            r -> r.stopSequences(List.of("")),
            r -> r.frequencyPenalty(Double.POSITIVE_INFINITY),
            r -> r.responseFormat(format(JsonRawSchema.from("[1"))),
            r -> r.toolSpecifications(NOTE, NOTE),
            r ->
                r.messages(
                    AiMessage.from(
                        ToolExecutionRequest.builder().name("note").arguments("[]").build())))) {
      assertThrows(IllegalArgumentException.class, () -> chat.chat(hello(bad)));
    }
  }

  private static void refused(
      String named, GdnChatModel chat, UnaryOperator<ChatRequest.Builder> request) {
    String message =
        assertThrows(UnsupportedFeatureException.class, () -> chat.chat(hello(request)))
            .getMessage();
    assertTrue(message.contains(named) && message.contains("not supported"), message);
  }

  @Test
  void buildersRefuseWhatCannotBe() {
    assertThrows(IllegalArgumentException.class, () -> GdnChatModel.builder().build());
    assertThrows(IllegalArgumentException.class, () -> GdnChatModel.builder().idleSessions(-1));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            plain().generationOptions(GenerationOptions.greedy().withLogProbabilities(1)).build());
  }

  @Test
  void aPromptOverTheContextIsRefusedAndTheNextAnswered() {
    GdnChatModel chat = plain().build();
    String much = "word ".repeat(model.context());
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> chat.chat(much));
    assertTrue(refusal.getMessage().contains("context"), refusal.getMessage());
    assertFalse(chat.chat("Once upon").isEmpty());
  }

  @Test
  void threadsAreAnsweredAsOneAfterAnother() throws Exception {
    GdnChatModel chat = plain().idleSessions(2).build();
    List<String> prompts =
        IntStream.range(0, 6).mapToObj(i -> "Once upon a time " + "a fox ".repeat(i)).toList();
    List<String> expected = prompts.stream().map(plain().build()::chat).toList();
    List<CompletableFuture<String>> answers = prompts.stream().map(chat::chatAsync).toList();
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(expected.get(i), answers.get(i).get(60, TimeUnit.SECONDS));
    }
  }

  @Test
  void anInterruptEndsAReplyAndStays() {
    GdnChatModel chat = plain().build();
    Thread.currentThread().interrupt();
    assertThrows(CancellationException.class, () -> chat.chat("Once upon"));
    assertTrue(Thread.interrupted());
    assertFalse(chat.chat("Once upon").isEmpty());
  }

  @Test
  void futuresFailAndAreCancelled() throws Exception {
    GdnChatModel chat =
        plain().generationOptions(GenerationOptions.greedy().withMaxTokens(20_000)).build();
    CompletableFuture<String> future = chat.chatAsync("Once upon");
    assertTrue(future.cancel(true));
    ExecutionException failure =
        assertThrows(
            ExecutionException.class,
            () -> chat.chatAsync(hello(r -> r.temperature(-1.0))).get(60, TimeUnit.SECONDS));
    assertTrue(failure.getCause() instanceof IllegalArgumentException, failure.toString());
  }

  @Test
  void aClosedModelSaysSo() {
    LanguageModel other = Script.openModel();
    GdnChatModel chat = plain().model(other).build();
    other.close();
    assertThrows(IllegalStateException.class, () -> chat.chat("hello"));
  }
}
