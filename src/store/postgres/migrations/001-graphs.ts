/**
 * Everything that belongs to a graph lies in tables whose keys and indexes start with `graph_id`, so that they can be
 * spread over machines by it. `keys` and `settings` belong to no graph: a secret is looked up before it is known which
 * graph it reaches. They are small, and a copy of them can be on every machine.
 *
 * Text is compared byte by byte (`COLLATE "C"`), so that the order is the same whatever the locale of the database.
 * Rows that are changed again and again have some room beside them on their page (`fillfactor`), so that a change touches no
 * index. Where the order is shown to callers it is by UTF-16 code units, which `sort_key` holds as bytes.
 */
export const graphs = `
CREATE TABLE graphs (
  graph_id text COLLATE "C" NOT NULL,
  last_seq bigint NOT NULL,
  last_id text COLLATE "C" NOT NULL,
  last_recorded_at text COLLATE "C" NOT NULL,
  newest_at text COLLATE "C" NOT NULL,
  memories bigint NOT NULL,
  total_length bigint NOT NULL,
  last_context_no integer NOT NULL,
  PRIMARY KEY (graph_id)
) WITH (fillfactor = 90);

CREATE TABLE contexts (
  graph_id text COLLATE "C" NOT NULL,
  context_no integer NOT NULL,
  context_id text COLLATE "C" NOT NULL,
  context_type text COLLATE "C" NOT NULL,
  context_name text COLLATE "C" NOT NULL,
  sort_key bytea NOT NULL,
  memories integer NOT NULL,
  agreements integer NOT NULL,
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (graph_id, context_no)
) WITH (fillfactor = 90);
CREATE UNIQUE INDEX contexts_by_id ON contexts (graph_id, context_id);
CREATE INDEX contexts_by_type ON contexts (graph_id, context_type, sort_key);

CREATE TABLE context_types (
  graph_id text COLLATE "C" NOT NULL,
  context_type text COLLATE "C" NOT NULL,
  sort_key bytea NOT NULL,
  contexts integer NOT NULL,
  memories bigint NOT NULL,
  PRIMARY KEY (graph_id, context_type)
);
CREATE INDEX context_types_in_order ON context_types (graph_id, sort_key);

CREATE TABLE memories (
  graph_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  memory_id text COLLATE "C" NOT NULL,
  context_no integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  payload text NOT NULL,
  content bytea NOT NULL,
  occurred_at text COLLATE "C" NOT NULL,
  recorded_at text COLLATE "C" NOT NULL,
  length integer NOT NULL,
  stated text,
  links text,
  times_seen integer NOT NULL,
  sighted bigint[] NOT NULL,
  agreements integer NOT NULL,
  contradictions integer NOT NULL,
  superseded_at bigint,
  PRIMARY KEY (graph_id, seq)
) WITH (fillfactor = 90);
CREATE UNIQUE INDEX memories_by_id ON memories (graph_id, memory_id);
CREATE UNIQUE INDEX memories_by_content ON memories (graph_id, content);
CREATE INDEX memories_by_context ON memories (graph_id, context_no, seq);
CREATE INDEX memories_with_links ON memories (graph_id, context_no, seq) WHERE links IS NOT NULL;
CREATE INDEX memories_superseded ON memories (graph_id, context_no, superseded_at) WHERE superseded_at IS NOT NULL;

CREATE TABLE sightings (
  graph_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  memory_seq bigint NOT NULL,
  times_seen integer NOT NULL,
  stated text,
  recorded_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (graph_id, seq)
);
CREATE INDEX sightings_by_memory ON sightings (graph_id, memory_seq, seq);

CREATE TABLE relations (
  graph_id text COLLATE "C" NOT NULL,
  from_no integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  to_no integer NOT NULL,
  made bigint NOT NULL,
  weight integer NOT NULL,
  first_seen text COLLATE "C" NOT NULL,
  last_seen text COLLATE "C" NOT NULL,
  PRIMARY KEY (graph_id, from_no, kind, to_no)
) WITH (fillfactor = 90);
CREATE INDEX relations_out ON relations (graph_id, from_no, made);
CREATE INDEX relations_in ON relations (graph_id, to_no, made);

CREATE TABLE speakers (
  graph_id text COLLATE "C" NOT NULL,
  from_no integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  to_no integer NOT NULL,
  by_seq bigint NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (graph_id, from_no, kind, to_no, by_seq)
);
CREATE INDEX speakers_in_order ON speakers (graph_id, from_no, kind, to_no, seq);

CREATE TABLE memory_links (
  graph_id text COLLATE "C" NOT NULL,
  target_seq bigint NOT NULL,
  by_seq bigint NOT NULL,
  PRIMARY KEY (graph_id, target_seq, by_seq)
);

CREATE TABLE memory_agreements (
  graph_id text COLLATE "C" NOT NULL,
  memory_seq bigint NOT NULL,
  seq bigint NOT NULL,
  by_seq bigint NOT NULL,
  PRIMARY KEY (graph_id, memory_seq, seq)
);

CREATE TABLE context_agreements (
  graph_id text COLLATE "C" NOT NULL,
  context_no integer NOT NULL,
  seq bigint NOT NULL,
  by_seq bigint NOT NULL,
  place integer NOT NULL,
  PRIMARY KEY (graph_id, context_no, seq)
);
CREATE INDEX context_agreements_by_speaker ON context_agreements (graph_id, context_no, by_seq);

CREATE TABLE contradictions (
  graph_id text COLLATE "C" NOT NULL,
  memory_seq bigint NOT NULL,
  seq bigint NOT NULL,
  by_seq bigint NOT NULL,
  PRIMARY KEY (graph_id, memory_seq, seq)
);
CREATE INDEX contradictions_by_speaker ON contradictions (graph_id, by_seq, memory_seq);

CREATE TABLE terms (
  graph_id text COLLATE "C" NOT NULL,
  term text COLLATE "C" NOT NULL,
  holding integer NOT NULL,
  PRIMARY KEY (graph_id, term)
) WITH (fillfactor = 90);

CREATE TABLE postings (
  graph_id text COLLATE "C" NOT NULL,
  term text COLLATE "C" NOT NULL,
  block integer NOT NULL,
  entries text COLLATE "C" NOT NULL,
  PRIMARY KEY (graph_id, term, block)
);
ALTER TABLE postings ALTER COLUMN entries SET STORAGE PLAIN;

CREATE TABLE name_grams (
  graph_id text COLLATE "C" NOT NULL,
  gram text COLLATE "C" NOT NULL,
  block integer NOT NULL,
  entries text COLLATE "C" NOT NULL,
  PRIMARY KEY (graph_id, gram, block)
);
ALTER TABLE name_grams ALTER COLUMN entries SET STORAGE PLAIN;

CREATE TABLE done_once (
  graph_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  receipts text NOT NULL,
  expires_at text COLLATE "C" NOT NULL,
  PRIMARY KEY (graph_id, key)
);
CREATE INDEX done_once_by_end ON done_once (graph_id, expires_at);

CREATE TABLE keys (
  key_id text COLLATE "C" PRIMARY KEY,
  secret_hash text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  scopes text[] NOT NULL,
  graphs text[],
  created_at text COLLATE "C" NOT NULL,
  expires_at text COLLATE "C"
);

CREATE TABLE settings (
  name text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);
`
