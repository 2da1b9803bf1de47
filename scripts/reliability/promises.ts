/** One promise, with the id that its tests carry in their names. */
export interface PromiseRow {
  readonly id: string
  readonly promise: string
  /** How it is tested, where the names of the tests do not say it. */
  readonly how?: string
  /** Runs of their own that prove it, beside tests or in place of them. */
  readonly runs?: readonly RunName[]
  /** Why there need be no test, or what the tests leave out. */
  readonly without?: string
}

export type RunName = 'schemathesis' | 'clients' | 'workflows' | 'breaking' | 'mutants' | 'model'

export const RUNS: { readonly [Name in RunName]: { name: Name; command: string; what: string } } = {
  schemathesis: run(
    'schemathesis',
    'test:schemathesis',
    'every operation of the contract, fuzzed from the contract alone',
  ),
  clients: run(
    'clients',
    'test:clients',
    'clients that five generators make of the contract, compiled and used',
  ),
  workflows: run('workflows', 'test:workflows', 'the Arazzo workflows, followed step by step'),
  breaking: run('breaking', 'check:breaking', 'the contract beside the last released one'),
  mutants: run('mutants', 'test:mutants', 'bugs planted one at a time, each of which a quick test must see'),
  model: run('model', 'test:model', 'the model suite for longer than `npm test` has time for'),
}

export const RUN_NAMES: readonly RunName[] = Object.values(RUNS).map(({ name }) => name)

function run<Name extends RunName>(name: Name, script: string, what: string) {
  return { name, command: `npm run ${script}`, what }
}

export const PROMISES: readonly PromiseRow[] = [
  { id: 'A1', promise: 'The contract is complete, and everything in it has a bound.' },
  { id: 'A2', promise: 'The service answers any input as the contract says.', runs: ['schemathesis'] },
  {
    id: 'A3',
    promise: '…for hours on end.',
    without: 'not run: it takes half an hour, too long for every change',
  },
  {
    id: 'A4',
    promise: 'Hostile words do no harm wherever they are put.',
    how: '`test/schemathesis/evil.dict` feeds every string.',
    runs: ['schemathesis'],
  },
  {
    id: 'A5',
    promise: 'The service behaves like a model of 150 lines, also across restarts and `kill -9`.',
    runs: ['model'],
  },
  { id: 'A6', promise: 'The tests see bugs.', runs: ['mutants'] },
  { id: 'A7', promise: 'Clients that write and read at once see one order of events.' },
  { id: 'A8', promise: 'Every example that is shown works.', runs: ['workflows'] },
  {
    id: 'A9',
    promise: 'Clients can be generated, and a new version does not break them unannounced.',
    runs: ['clients', 'breaking'],
  },
  { id: 'A10', promise: 'The five operations that others build on keep their shape, field by field.' },
  { id: 'A11', promise: 'What is routed is what the contract has.' },
  { id: 'B1', promise: 'A method that a path does not have gets 405 and the list of those that it has.' },
  { id: 'B2', promise: 'HEAD says what GET says, without the body.' },
  { id: 'B3', promise: 'OPTIONS and preflights need no secret; only listed origins are let in.' },
  { id: 'B4', promise: 'What a client does not accept, it does not get.' },
  { id: 'B5', promise: 'A body of another media type is refused with 415.' },
  { id: 'B6', promise: 'A body that is too large is refused before all of it is read.' },
  { id: 'B7', promise: 'What never becomes a request is refused in the same JSON as the rest.' },
  { id: 'B8', promise: 'Malformed percent-encoding is refused, in the path and in each parameter.' },
  { id: 'B9', promise: 'A query means the same however a client encodes it.' },
  { id: 'B10', promise: 'Integers are digits, and nothing that looks like them.' },
  { id: 'B11', promise: '401 and 403 are as RFC 6750 has them.' },
  { id: 'B12', promise: 'Every refusal has one shape and a request id.' },
  {
    id: 'B13',
    promise:
      'Conditional reads are answered with 304 exactly when nothing has changed; nothing private is cached by others.',
  },
  { id: 'B14', promise: 'A write that is sent again with its Idempotency-Key is done once.' },
  { id: 'B15', promise: 'Rate limits are told before they are met, and waiting as long as told suffices.' },
  {
    id: 'B16',
    promise: 'Pages joined are the whole list, without gaps and doubles, also while it is written to.',
  },
  {
    id: 'B17',
    promise:
      "The caller's request id is in the answer, the problem and the log; what cannot be trusted in a log is replaced.",
  },
  { id: 'B18', promise: 'Slow clients are cut off and hold nobody up.' },
  { id: 'B19', promise: 'A compressed answer is the same answer.' },
  {
    id: 'C1',
    promise: 'A key sees nothing of graphs out of its reach, not even whether they exist.',
    how: 'Every operation of the contract, and every way around it; bytes equal, times alike.',
  },
  { id: 'C2', promise: 'Scopes are exactly those of the contract; what the service decides cannot be sent.' },
  { id: 'C3', promise: 'Every bound holds: the bound itself is accepted, one more is refused.' },
  { id: 'C4', promise: 'Bodies that are all depth or all width are refused quickly.' },
  { id: 'C5', promise: 'Names such as `__proto__` are names.' },
  { id: 'C6', promise: 'No id leads out of the data folder.' },
  { id: 'C7', promise: 'No text makes a pattern run for long.' },
  {
    id: 'C8',
    promise: 'Spellings that Unicode calls the same are the same name; what is not text is refused.',
  },
  { id: 'C9', promise: 'Nobody can write into the log: one line a request, each of them JSON.' },
  { id: 'C10', promise: 'Secrets are neither on disk nor in the log; files are for their owner alone.' },
  {
    id: 'C11',
    promise:
      'Secrets have 256 bits and a checksum; checking one is quick, and its time says nothing about the right one.',
  },
  {
    id: 'C12',
    promise: 'A revoked key is refused at once; guessing is slowed down.',
    without: 'a data folder restored from a backup has the keys of the backup',
  },
  {
    id: 'C13',
    promise: 'Nobody can make the service call an address.',
    without: 'nothing to test: it sends no request to any address that a caller gives',
  },
  {
    id: 'C14',
    promise: 'A language model that fails does no harm.',
    without: 'nothing to test: there is no language model',
  },
  { id: 'C15', promise: 'Stored text is quoted and never followed.' },
  { id: 'C16', promise: 'Thousands of media types leave nothing behind.' },
  { id: 'C17', promise: 'Requests whose end is in doubt are refused, and the connection is closed.' },
  {
    id: 'C18',
    promise: 'The package holds and needs nothing but what it says.',
    how: '`npm run check:supply` looks at every dependency.',
  },
  { id: 'C19', promise: 'It does not start unsafely: without a secret it listens to this machine alone.' },
  {
    id: 'D1',
    promise: 'What was acknowledged survives `kill -9`.',
    how: 'The service under 8 writers over HTTP, killed at random times, also while it starts.',
  },
  {
    id: 'D2',
    promise: '…and power loss.',
    how: 'Before every file operation, states with only synced data and a random part of the rest, torn sectors and half-done renames included; each is opened, compared, written to and opened again.',
  },
  {
    id: 'D3',
    promise: 'An incomplete last record is cut off, and only that.',
    how: 'The journal cut at every byte; zeros after the end; sectors and half sectors that were not written.',
  },
  {
    id: 'D4',
    promise: 'Damage is noticed, never served.',
    how: 'Each byte of journal, snapshot and manifest flipped in four ways: exit 78, file and offset named, nothing changed.',
  },
  {
    id: 'D5',
    promise: 'A failed flush is the end of acknowledging.',
    how: '`strace` fails the n-th `fsync`/`fdatasync` with EIO, n = 1..50: 503, exit 1, sound after a restart.',
  },
  {
    id: 'D6',
    promise: 'A full disk refuses writes and nothing else.',
    how: '256 kB tmpfs; ENOSPC on every n-th write to the journal and the snapshot.',
  },
  {
    id: 'D7',
    promise: 'A folder that is read-only, or too few files: degraded, not dead.',
    how: 'tmpfs remounted read-only; 64 open files at most; EIO while a graph is read.',
  },
  {
    id: 'D8',
    promise: 'Any single file operation may fail.',
    how: 'The n-th operation fails, n = 1 until a run has no failure, with EIO, ENOSPC and EMFILE.',
  },
  {
    id: 'D9',
    promise: 'There is one process per data folder.',
    how: 'The second exits with 75 and names the first; after `kill -9` the next start needs no help; a reused process id misleads nobody.',
  },
  {
    id: 'D10',
    promise: 'A paused owner that lost its lock acknowledges nothing.',
    how: 'SIGSTOP, the lock deleted, another process started, SIGCONT.',
  },
  { id: 'D11', promise: 'The clock may jump: ids and times of recording only rise.' },
  {
    id: 'D12',
    promise: 'Folding is atomic.',
    how: 'Killed before every file operation of a run with folds, erasures, imports and changes of keys.',
  },
  {
    id: 'D13',
    promise: 'What is acknowledged was flushed before.',
    how: 'The system calls of acknowledged events, in order; snapshot: flush, rename, flush of the folder.',
  },
  {
    id: 'D14',
    promise: 'There is no silent empty database.',
    how: 'Journal, snapshot, manifest, a graph or all graphs deleted: refused, exit 78. A folder with nothing at all in it is a new one: see below.',
  },
  {
    id: 'D15',
    promise: 'Data of every released version opens; data of a later one is refused and left alone.',
  },
  { id: 'D16', promise: 'An export under load is the graph at one moment.' },
  {
    id: 'D17',
    promise: 'Export, import and export again give the same; a part of an export is refused whole.',
  },
  { id: 'D18', promise: 'Opening takes a bounded time.', without: 'measured, not tested: see Figures' },
  { id: 'D19', promise: 'Both stores give the same answers.' },
  {
    id: 'D20',
    promise: '`verify` tells the truth.',
    how: 'On every file of D3, D4 and D14, the verdict is what was done to the file: exit 0, 3 or 78.',
  },
  { id: 'E1', promise: '`/livez` and `/readyz` mean what they say.' },
  {
    id: 'E2',
    promise: 'SIGTERM loses nothing.',
    how: 'Restarts under 200 requests a second with connections kept open.',
  },
  { id: 'E3', promise: 'A mistake in the settings stops the start, and all mistakes are listed.' },
  { id: 'E4', promise: 'Metrics count what clients count, in fewer than 300 series.' },
  { id: 'E5', promise: 'With too much to do it serves what it can, and refuses the rest quickly.' },
  {
    id: 'E6',
    promise: 'Nothing leaks.',
    how: '20,000 mixed requests: the heap after a collection and the open files are as before.',
  },
  { id: 'E7', promise: 'Answers are quick.', without: 'measured, not tested: see Figures' },
  { id: 'E8', promise: 'An error of ours is one 500, or the end of the process; never something between.' },
  {
    id: 'E9',
    promise: 'The container asks for no right that it does not need.',
    without: 'judged by its files; running it needs a docker engine',
  },
  {
    id: 'E10',
    promise: 'One can go to a new version and back.',
    without: 'not run: one version has been released; D15 is the way forward',
  },
  { id: 'E11', promise: 'This page says what the runs gave.' },
]
