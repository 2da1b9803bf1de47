import io.loregraph.client.ApiClient;
import io.loregraph.client.ApiException;
import io.loregraph.client.JSON;
import io.loregraph.client.api.ContextsApi;
import io.loregraph.client.api.EventsApi;
import io.loregraph.client.api.GraphsApi;
import io.loregraph.client.api.InsightsApi;
import io.loregraph.client.api.KeysApi;
import io.loregraph.client.api.MemoriesApi;
import io.loregraph.client.model.*;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** openapi-generator's Java client, on java.net.http. */
public final class Main {
  private static final String GRAPH = "client-java";
  private static final String EFFECTS = "skill:hooks/effects";

  public static void main(String[] args) throws Exception {
    ApiClient client = connect(System.getenv("SECRET"));
    EventsApi events = new EventsApi(client);
    Event first = event(EFFECTS, Map.of("advice", "Keep effects small"));
    RecordedEvent recorded = events.recordEvent(first, null);
    expect(RecordedEvent.StatusEnum.RECORDED, recorded.getStatus());
    expect(RecordedEvent.StatusEnum.DUPLICATE, events.recordEvent(first, null).getStatus());
    events.recordEvent(event("skill:state_machines", Map.of("data", "They help")).addRelatedToItem(EFFECTS), null);
    Event fix = event("error:stale_closure", Map.of("fix", "List what the effect reads"));
    events.recordEvent(fix.addExtendsItem(EFFECTS), null);

    ContextsApi contexts = new ContextsApi(client);
    List<String> names = new ArrayList<>();
    for (int page = 0; ; page++) {
      ContextList list = contexts.listContexts(GRAPH, "skill", page, 1, null);
      if (list.getContexts().isEmpty()) break;
      list.getContexts().forEach(context -> names.add(context.getContextName()));
    }
    expect(List.of("hooks/effects", "state_machines"), names);
    ContextIndex search = contexts.browseContexts(GRAPH, "state mach", null, null, null);
    expect("skill:state_machines", search.getContexts().get(0).getContextId());
    RelationshipList links = contexts.listRelationships(GRAPH, "skill", "hooks/effects", null, null, null);
    expect(
        List.of(RelationshipKind.EXTENSION, RelationshipKind.RELATED_TO),
        links.getRelationships().stream().map(Relationship::getKind).toList());

    InsightRequest question = new InsightRequest().graphId(GRAPH).explain(true);
    question.task("What do we do about a stale closure in an effect?");
    Insight insight = new InsightsApi(client).generateInsight(question);
    expect("error:stale_closure", insight.getEvidence().get(0).getContextId());
    Memory memory = new MemoriesApi(client).getMemory(GRAPH, recorded.getEventId(), null, null);
    expect(Map.of("advice", "Keep effects small"), memory.getPayload());
    expect(2, memory.getTimesSeen());

    OwnKey own = new KeysApi(client).getOwnKey();
    expect("root", own.getKeyId());
    expect(3, own.getScopes().size());

    refused(401, "unauthorized", () -> new GraphsApi(connect("wrong")).listGraphs(null, null));
    refused(404, "graph_not_found", () -> contexts.browseContexts("nowhere", null, null, null, null));
  }

  private static ApiClient connect(String secret) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + secret));
    return client;
  }

  private static Event event(String contextId, Map<String, Object> payload) {
    return new Event().graphId(GRAPH).eventKind(EventKind.FACT).contextId(contextId).payload(payload);
  }

  private interface Call {
    Object make() throws ApiException;
  }

  private static void refused(int status, String code, Call call) throws Exception {
    try {
      throw new AssertionError("Not refused: " + call.make());
    } catch (ApiException refusal) {
      expect(status, refusal.getCode());
      Problem problem = JSON.getDefault().getMapper().readValue(refusal.getResponseBody(), Problem.class);
      expect(code, problem.getCode());
    }
  }

  private static void expect(Object wanted, Object got) {
    if (!wanted.equals(got)) throw new AssertionError("Wanted " + wanted + ", got " + got);
  }
}
