"""What Schemathesis cannot read from the contract: names that lead somewhere, how an export is made, and two laws.

- What was answered with 201 is found under the same names until it is deleted.
- An answer about one graph never speaks of another.
"""

import hashlib
import itertools
import json
import os
import re
from urllib.parse import unquote, urlsplit

import requests
import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData
from schemathesis.specs.openapi import checks, stateful

NDJSON = "application/x-ndjson"
IMPORT = "POST /v1/graphs/{graph_id}/events"
RECORD = "POST /v1/events"
# In the graph from the start, so that recording it makes a duplicate.
KNOWN_FACT = "The staging database is restored from production every Monday"
FRESH = itertools.count()
# A graph, and a word in it that no other graph has unless a request brought it there.
FOREIGN_GRAPH = "canary"
FOREIGN_WORD = "zanzibarcanary"

# An address that has tried many wrong secrets is told to slow down, which lets nobody in either.
checks.AUTH_REJECTION_STATUSES = {*checks.AUTH_REJECTION_STATUSES, 429}


# Exports


def export_lines(events):
    """What `exportGraph` gives for these events."""
    lines = "".join(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n" for event in events)
    header = {"loregraph": 1, "graph_id": "elsewhere", "exported_at": "2026-03-02T09:30:00.000Z"}
    last = {"count": len(events), "sha256": hashlib.sha256(lines.encode()).hexdigest()}
    return f"{json.dumps(header)}\n{lines}{json.dumps(last)}\n"


ID_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
FIRST_ID = 8 * 32 + ID_DIGITS.index("N")


def past_event(index, context_id, text, **links):
    return {
        "event_kind": "fact",
        "payload": {"data": text},
        "context_id": context_id,
        "source": "agent",
        **links,
        "timestamp": "2026-03-02T09:30:00.000Z",
        "memory_id": f"mem_01KJPZ6C3RS6ACV2ZXG3FQ2E{ID_DIGITS[index // 32]}{ID_DIGITS[index % 32]}",
        "recorded_at": "2026-03-02T09:30:00.000Z",
        "times_seen": 1,
    }


@schemathesis.serializer(NDJSON)
def write_lines(context, value):
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode(errors="surrogatepass")


@schemathesis.deserializer(NDJSON)
def read_lines(context, response):
    return response.content.decode()


@schemathesis.hook
def map_body(context, body):
    """Makes likely what chance would hardly ever bring: a whole export, and an event that is known already."""
    if context.operation.label == IMPORT and isinstance(body, str) and len(body) % 2 == 0:
        words = dict.fromkeys("".join(letter if letter.isprintable() else " " for letter in body).split())
        return export_lines([past_event(index, f"word:{word[:200]}", word) for index, word in enumerate(words)])
    if context.operation.label == RECORD and is_least(body):
        return {"graph_id": "demo", "event_kind": "fact", "payload": {"data": KNOWN_FACT}}
    if isinstance(body, dict):
        for event in [body, *(body["events"] if isinstance(body.get("events"), list) else [])]:
            if isinstance(event, dict) and isinstance(event.get("payload"), dict) and not says_something(event["payload"]):
                event["payload"]["data"] = "something"
            if isinstance(event, dict) and "payload" in event:
                event["payload"] = with_long_numbers_as_text(event["payload"])
    return body


def with_long_numbers_as_text(value):
    """Whole numbers that a double would change are refused, which the schema cannot say."""
    if isinstance(value, dict):
        return {key: with_long_numbers_as_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_long_numbers_as_text(item) for item in value]
    is_long = isinstance(value, int) and abs(value) > 2**53
    return str(value) if is_long else value


def says_something(value):
    """Payloads that hold no text, number or truth value are refused, and chance brings them more often than not."""
    if isinstance(value, (dict, list)):
        return any(map(says_something, value.values() if isinstance(value, dict) else value))
    return value is not None and (not isinstance(value, str) or value.strip() != "")


def is_least(body):
    """Whether this is an event in the demo graph with nothing but what is needed, all of it as it should be."""
    if not isinstance(body, dict) or set(body) != {"graph_id", "event_kind", "payload"} or body["graph_id"] != "demo":
        return False
    is_kind = body["event_kind"] in ["fact", "action", "decision"]
    return is_kind and isinstance(body["payload"], dict) and 0 < len(body["payload"]) < 1000


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Only a graph that is not there yet can be imported, and the names that lead somewhere are there."""
    if context.operation.label == IMPORT and path_parameters and path_parameters.get("graph_id") in [*SEEDS, "payments"]:
        return {**path_parameters, "graph_id": f"imported-{next(FRESH)}"}
    return path_parameters


# Names that lead somewhere; schemathesis.toml and the examples of the contract have them too


SEEDS = {
    "demo": [
        past_event(FIRST_ID, "skill:react_hooks", "Keep effects small", related_to=["skill:test_runner"]),
        past_event(FIRST_ID + 1, "skill:flaky/login_test", "Reset the session store", extends=["skill:react_hooks"]),
        past_event(FIRST_ID + 2, "decision:test_runner", "Use vitest"),
        past_event(FIRST_ID + 3, "error:react_hooks", "An effect ran twice", contradicts=["skill:react_hooks"]),
        past_event(FIRST_ID + 4, "fact:general", KNOWN_FACT),
    ],
    FOREIGN_GRAPH: [past_event(FIRST_ID, f"skill:{FOREIGN_WORD}", f"React hooks, login test, test runner, {FOREIGN_WORD}")],
}


def ask(method, path, **rest):
    headers = {"Authorization": f"Bearer {os.environ['SECRET']}", "Content-Type": NDJSON}
    return requests.request(method, f"{os.environ['BASE_URL']}/v1/graphs{path}", headers=headers, timeout=10, **rest)


def seed(graph_id):
    """By import, since that keeps ids, which must be the same each time for a seed to mean the same run."""
    ask("DELETE", f"/{graph_id}")
    answer = ask("POST", f"/{graph_id}/events", data=export_lines(SEEDS[graph_id]).encode())
    assert answer.status_code == 201, answer.text


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for name, component in {"context_type": "ContextType", "name": "ContextName"}.items():
        NAMES[name] = re.compile(raw_schema["components"]["schemas"][component]["pattern"])
    for graph_id in SEEDS:
        seed(graph_id)


# What was said and done so far


class Seen:
    def __init__(self):
        self.graphs = set()
        self.contexts = set()
        self.memories = set()
        self.keys = set()
        self.gone = set()
        # Graphs that were told the foreign word by a request of our own.
        self.told = {FOREIGN_GRAPH}

    def learn(self, asked, status, answer):
        if FOREIGN_WORD in asked.text:
            self.told |= set(asked.graphs())
        if status == 201 and asked.is_post("events"):
            self.recorded(asked, [answer])
        elif status == 201 and asked.is_post("events", "batch"):
            self.recorded(asked, answer["results"])
        elif status == 201 and asked.is_post("graphs", None, "events"):
            self.graphs.add(asked.parts[1])
            self.gone = {known for known in self.gone if known[0] != asked.parts[1]}
        elif status == 201 and asked.is_post("keys"):
            self.keys.add(answer["key_id"])
        elif status == 204 and asked.method == "DELETE":
            self.keys.discard(asked.parts[1])
        elif status == 200 and asked.method == "DELETE" and not answer["dry_run"]:
            self.erased(asked, answer["graph_id"], answer["memory_ids"])

    def recorded(self, asked, receipts):
        graph = asked.body["graph_id"]
        self.graphs.add(graph)
        for receipt in receipts:
            self.memories.add((graph, receipt["event_id"]))
            self.contexts.add((graph, receipt["context_id"]))

    def erased(self, asked, graph, memory_ids):
        """Which contexts stay depends on links that are not followed here, so all of the graph's are forgotten."""
        erased = {(graph, memory_id) for memory_id in memory_ids}
        self.memories -= erased
        self.gone |= erased
        self.contexts = {known for known in self.contexts if known[0] != graph}
        if asked.parts[0] == "graphs":
            self.memories = {known for known in self.memories if known[0] != graph}
        if not any(known[0] == graph for known in self.memories):
            self.graphs.discard(graph)
        if graph in SEEDS:
            seed(graph)
            self.memories = {known for known in self.memories if known[0] != graph}
            self.gone -= erased

    def knows(self, asked):
        """Whether everything that the request names was answered with 201 and not deleted since."""
        if asked.is_of_the_past:
            return False
        match asked.parts:
            case ["memories", graph, memory]:
                return (graph, memory) in self.memories
            case ["contexts", graph, kind, name, *_]:
                return (graph, f"{kind}:{name}") in self.contexts
            case ["contexts" | "graphs", graph, *_]:
                return graph in self.graphs
            case ["memories", *_]:
                return asked.body.get("graph_id") in self.graphs
            case ["keys", "self"]:
                return True
            case ["keys", key]:
                return key in self.keys
        return False


class Asked:
    """A request as it went out, whatever it was made from."""

    def __init__(self, request):
        path = urlsplit(request.url).path
        self.method = request.method
        self.parts = [unquote(part) for part in path.split("/")[2:]] if path.startswith("/v1/") else []
        sent = request.body or b""
        self.text = unquote(request.url) + (sent if isinstance(sent, str) else sent.decode(errors="replace"))
        self.body = as_object(sent)
        self.is_of_the_past = "as_of=" in urlsplit(request.url).query or "as_of" in self.body

    def is_post(self, *parts):
        fits = (want is None or want == got for want, got in zip(parts, self.parts))
        return self.method == "POST" and len(parts) == len(self.parts) and all(fits)

    def graphs(self):
        """The graphs that the request speaks of."""
        path = self.parts[1:2] if self.parts[0:1] != ["events"] and self.parts[0:1] != ["keys"] else []
        named = self.body.get("graph_id")
        return [*path, *([named] if isinstance(named, str) else [])]


def as_object(sent):
    try:
        found = json.loads(sent)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


SEEN = Seen()


@schemathesis.hook
def after_call(context, case, response):
    SEEN.learn(Asked(response.request), response.status_code, as_object(response.content))


# Sequences of requests


def every_start(operations, transitions, graph):
    """Schemathesis begins a sequence only where made-up names would do. Ours lead somewhere, so that any link can be first."""
    roots = likely_starts(operations, transitions, graph)
    roots.reliable |= roots.fallback
    start_afresh()
    return roots


likely_starts = stateful.classify_root_transitions
stateful.classify_root_transitions = every_start


def start_afresh(_machine=None):
    """Every sequence starts from the same graphs, so that repeating one gives the same answers, on which others build."""
    for graph in ask("GET", "?page_size=500").json()["graphs"]:
        ask("DELETE", f"/{graph['graph_id']}")
    for graph_id in SEEDS:
        seed(graph_id)
    SEEN.__init__()


# Not `setup`, which the command line replaces by its own.
stateful.OpenAPIStateMachine.teardown = start_afresh


# The laws


# What the contract can only say in words: problems that a request may meet although it fits every schema.
IN_WORDS = {
    "invalid_name": ["once it is folded"],
    "invalid_time": ["in the years 0000 to 9999 of UTC"],
    "invalid_request": ["must not hold a NUL character"],
    "invalid_key": ["must be in the future"],
    "invalid_event": [
        "A dry run has no Idempotency-Key",
        "must hold a text that is not empty",
        "reinforces and contradicts the same memory",
        "must be later than the timestamp",
        "must be later than the valid_from",
        "in the years 0000 to 9999 of UTC",
    ],
    "invalid_import": ["Line "],
}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    problem = as_object(response.content)
    said = IN_WORDS.get(problem.get("code"), [])
    if response.status_code != 400:
        return True
    return not any(words in problem["detail"] for words in said) and not (
        isinstance(failure, RejectedPositiveData) and is_decoded_into_nonsense(case)
    )


NAMES = {}


def is_decoded_into_nonsense(case):
    """Schemathesis decodes a name before it encodes it, so that a good name with `%0E` in it goes out as a control character."""
    sent = case.path_parameters or {}
    return any(pattern.search(unquote(sent[name])) is None for name, pattern in NAMES.items() if name in sent)


@schemathesis.check
def found_after_created(ctx, response, case):
    """404 after a 201 on the same names is a failure."""
    asked = Asked(response.request)
    assert response.status_code != 404 or not SEEN.knows(asked), (
        f"{asked.method} {asked.parts}: answered with 404 after a 201 on the same names"
    )


@schemathesis.check
def gone_after_erased(ctx, response, case):
    """200 for a memory that a receipt says was erased is a failure."""
    asked = Asked(response.request)
    is_found = response.status_code == 200 and asked.method == "GET" and asked.parts[0:1] == ["memories"]
    assert not is_found or tuple(asked.parts[1:]) not in SEEN.gone, f"{asked.parts} was erased, and is still there"


@schemathesis.check
def never_another_graph(ctx, response, case):
    """An answer that names another graph is a failure."""
    asked = Asked(response.request)
    graphs = asked.graphs()
    if response.status_code >= 300 or not graphs:
        return
    named = as_object(response.content.split(b"\n", 1)[0]).get("graph_id", graphs[0])
    assert named in graphs, f"asked about {graphs}, answered about {named}"
    text = response.content.decode(errors="replace")
    assert FOREIGN_WORD not in text or SEEN.told & set(graphs), f"{graphs} was never told what the answer says"


@schemathesis.check
def exports_are_whole(ctx, response, case):
    """An export starts with its header and ends with the count and the hash of the lines between."""
    if response.headers.get("content-type") != [NDJSON]:
        return
    header, *lines, last, nothing = response.content.split(b"\n")
    hashed = hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest()
    assert nothing == b"" and json.loads(header)["loregraph"] == 2
    assert json.loads(last) == {"count": len(lines), "sha256": hashed}
