#!/usr/bin/env python3
"""Reads a graph from a data folder by docs/file-format.md alone, and prints it as an export: read.py FOLDER GRAPH."""

import hashlib
import json
import re
import sys
import zlib
from pathlib import Path
from urllib.parse import quote

LINKS = {"reinforcement": "reinforces", "extension": "extends", "contradiction": "contradicts", "related-to": "related_to"}


PREFIX = 40
# What is left as it is in a link to a field, beside letters, digits and _.-
UNRESERVED = "~!*'()"


class Number(str):
    """A number as it stands in the file, so that it is printed with the same digits."""


def frame(line):
    """What an intact line says; None if a byte of it is not what was written."""
    prefix, body = line[:PREFIX], line[PREFIX:]
    if prefix != b'{"length":%10d,"crc32":"%08x",' % (len(body), zlib.crc32(body)):
        return None
    return json.loads(line, parse_int=Number, parse_float=Number)


def log(path, name):
    """The frames of a journal or manifest. The last write may be cut off: it was never acknowledged."""
    header, *lines = path.read_bytes().split(b"\n")
    said = frame(header)
    if said is None or said["format"] != "2" or said["log"] != name:
        sys.exit(f"{path}: this is no {name} of format 2")
    position = int(said["after"])
    for line in lines:
        found = frame(line)
        if found is None or int(found["seq"]) != position + 1:
            return
        position += int(found["count"])
        yield found


def numbered(folder, stem, end):
    """The file with the highest number."""
    found = [(int(m[1] or 0), path) for path in folder.iterdir() if (m := re.fullmatch(rf"{stem}(?:\.(\d+))?{end}", path.name))]
    return max(found)[1]


def folder_of(data, graph):
    """Where the manifest says that a graph is."""
    found = None
    for line in log(numbered(data, "manifest", r"\.ndjson"), "manifest"):
        for entry in line["records"]:
            if entry["graph"] == graph and entry["op"] != "creating":
                found = entry["folder"] if entry["op"] == "created" else None
    if found is None:
        sys.exit(f"There is no graph {graph}.")
    return data / "graphs" / found


def frames(folder, graph):
    """The frames of a graph: those of the snapshot, then those of the journal that the snapshot does not hold."""
    through = 0
    snapshot = folder / "snapshot.json"
    if snapshot.exists():
        *lines, footer, _ = snapshot.read_bytes().split(b"\n")
        said = json.loads(lines[0] + b"]}")
        whole = b"".join(line + b"\n" for line in lines)
        if footer != b'],"count":%d,"crc32":"%08x"}' % (len(lines) - 1, zlib.crc32(whole)):
            sys.exit(f"{snapshot} is damaged")
        through = said["through"]
        for line in lines[1:]:
            yield frame(line.removesuffix(b","))
    yield from (found for found in log(folder / "journal.ndjson", f"graph {graph}") if int(found["seq"]) > through)


def decided(decisions):
    """What was decided of an event, under the names of an export."""
    lists = {name: decisions[name] for name in ("bears", "opposes", "reinforces", "returns", "against", "wholes", "lost", "unresolved") if decisions.get(name)}
    for name in ("reinforces", "returns"):
        for one in lists.get(name, []):
            claim = one.pop("claim")
            one.update({"memory_id": claim, **{key: one.pop(key) for key in list(one)}})
    return lists


def target(link):
    """What a link is to: a context, a memory, or a field of one, as a JSON pointer behind its id."""
    if "field" not in link:
        return link["target"]
    pointer = link["field"].replace("~", "~0").replace("/", "~1")
    return f'{link["target"]}#/{quote(pointer, safe=UNRESERVED)}'


def event(record, first, times_seen):
    """An event of an export; what was recorded is said by the first record of its memory."""
    line = {"event_kind": first["kind"], "payload": first["payload"], "context_id": first["context"], "source": record["source"]}
    for kind, field in LINKS.items():
        targets = [target(link) for link in record["links"] if link["kind"] == kind]
        if targets:
            line[field] = targets
    line["timestamp"] = record.get("occurredAt", record["recordedAt"])
    if "validFrom" in record:
        line["valid_from"] = record["validFrom"]
    if "validUntil" in record:
        line["valid_until"] = record["validUntil"]
    line.update(memory_id=record["id"], recorded_at=record["recordedAt"])
    line.update(times_seen=Number(times_seen), place=record.get("place", record["seq"]))
    if "recordedBy" in record:
        line["recorded_by"] = record["recordedBy"]
    if record.get("decisions"):
        line["decided"] = decided(record["decisions"])
    return line


def text(value):
    """JSON without white space."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{text(key)}:{text(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text, value)) + "]"
    return re.sub("[\ud800-\udfff]", lambda one: f"\\u{ord(one[0]):04x}", json.dumps(value, ensure_ascii=False))


def main(data, graph):
    first, seen, lines, latest = {}, {}, [], "1970-01-01T00:00:00.000Z"
    for found in frames(folder_of(Path(data), graph), graph):
        for record in found["records"]:
            if record["op"] not in ("recorded", "sighted"):
                continue
            memory = record["id"]
            if record["op"] == "recorded":
                first[memory], latest = record, record["recordedAt"]
            seen[memory] = seen.get(memory, 0) + 1
            lines.append(text(event(record, first[memory], seen[memory])) + "\n")
    events = "".join(lines).encode()
    header = {"loregraph": 3, "graph_id": graph, "exported_at": latest}
    footer = {"count": len(lines), "sha256": hashlib.sha256(events).hexdigest()}
    sys.stdout.buffer.write(f"{text(header)}\n".encode() + events + f"{text(footer)}\n".encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
