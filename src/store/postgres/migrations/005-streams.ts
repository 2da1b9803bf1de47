/**
 * What lets exports and imports take as long as their clients do, without a transaction that lasts as long.
 *
 * `graphs.edition` is a new number when a graph is made and whenever something of it is erased: within one edition, events
 * are only added, in the order of `seq`.
 *
 * `imports` and `import_slices` hold what has been received of imports that have not ended. They are not worth a log: an
 * import that finds a slice missing after a crash is refused. Those of a process that was killed go after `alive_until`.
 */
export const streams = `
CREATE SEQUENCE graph_editions;
ALTER TABLE graphs ADD COLUMN edition bigint NOT NULL DEFAULT nextval('graph_editions');

CREATE UNLOGGED TABLE imports (
  import_id uuid PRIMARY KEY,
  alive_until timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE UNLOGGED TABLE import_slices (
  import_id uuid NOT NULL REFERENCES imports ON DELETE CASCADE,
  number integer NOT NULL,
  events text NOT NULL,
  PRIMARY KEY (import_id, number)
);
ALTER TABLE import_slices ALTER COLUMN events SET STORAGE EXTERNAL;
`
