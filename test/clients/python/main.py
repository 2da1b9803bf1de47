"""openapi-python-client, checked with mypy --strict."""

import os

from loregraph_client import AuthenticatedClient
from loregraph_client.api.contexts import browse_contexts, list_contexts, list_relationships
from loregraph_client.api.events import record_event
from loregraph_client.api.graphs import list_graphs
from loregraph_client.api.insights import generate_insight
from loregraph_client.api.memories import get_memory
from loregraph_client.models import (
    ContextIndex,
    ContextList,
    Event,
    EventKind,
    Insight,
    InsightRequest,
    Memory,
    Payload,
    Problem,
    RecordedEvent,
    RecordedEventStatus,
    RelationshipDirection,
    RelationshipKind,
    RelationshipList,
)

BASE_URL = os.environ["BASE_URL"]
GRAPH = "client-python"
EFFECTS = "skill:hooks/effects"

client = AuthenticatedClient(base_url=BASE_URL, token=os.environ["SECRET"])


def payload(**fields: str) -> Payload:
    made = Payload()
    made.additional_properties = dict(fields)
    return made


def record(event: Event) -> RecordedEvent:
    recorded = record_event.sync(client=client, body=event)
    assert isinstance(recorded, RecordedEvent), recorded
    return recorded


def event(context_id: str, learned: Payload) -> Event:
    return Event(graph_id=GRAPH, event_kind=EventKind.FACT, context_id=context_id, payload=learned)


first = event(EFFECTS, payload(advice="Keep effects small"))
recorded = record(first)
assert recorded.status == RecordedEventStatus.RECORDED
assert record(first).status == RecordedEventStatus.DUPLICATE
second = event("skill:state_machines", payload(data="They help"))
second.related_to = [EFFECTS]
record(second)
third = event("error:stale_closure", payload(fix="List what the effect reads"))
third.extends = [EFFECTS]
record(third)

names: list[str] = []
while True:
    page = list_contexts.sync(GRAPH, "skill", client=client, page=len(names), page_size=1)
    assert isinstance(page, ContextList), page
    if not page.contexts:
        break
    names += [context.context_name for context in page.contexts]
assert names == ["hooks/effects", "state_machines"], names

search = browse_contexts.sync(GRAPH, client=client, q="state mach")
assert isinstance(search, ContextIndex) and search.contexts, search
assert search.contexts[0].context_id == "skill:state_machines"

links = list_relationships.sync(GRAPH, "skill", "hooks/effects", client=client)
assert isinstance(links, RelationshipList), links
assert [link.kind for link in links.relationships] == [RelationshipKind.EXTENSION, RelationshipKind.RELATED_TO]
assert all(link.direction == RelationshipDirection.INCOMING for link in links.relationships)

task = "What do we do about a stale closure in an effect?"
insight = generate_insight.sync(client=client, body=InsightRequest(task=task, graph_id=GRAPH, explain=True))
assert isinstance(insight, Insight) and insight.evidence, insight
assert insight.evidence[0].context_id == "error:stale_closure"

memory = get_memory.sync(GRAPH, recorded.event_id, client=client)
assert isinstance(memory, Memory), memory
assert memory.payload.additional_properties == {"advice": "Keep effects small"}
assert memory.times_seen == 2

wrong = list_graphs.sync_detailed(client=AuthenticatedClient(base_url=BASE_URL, token="wrong"))
assert wrong.status_code == 401 and isinstance(wrong.parsed, Problem) and wrong.parsed.code == "unauthorized", wrong
missing = browse_contexts.sync_detailed("nowhere", client=client)
assert missing.status_code == 404 and isinstance(missing.parsed, Problem), missing
assert missing.parsed.code == "graph_not_found"
