/** One line of the source, made wrong. */
export interface Mutant {
  /** What goes wrong with it. */
  readonly name: string
  readonly file: string
  /** The function or class that the text is in, for finding it again when it is no longer there. */
  readonly function: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** The tests that are most likely to see it; all others are asked only if these do not. */
  readonly tests: readonly string[]
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a page is one item short',
    file: 'src/domain/page.ts',
    function: 'pageOf',
    find: 'all.slice(start, start + paging.pageSize)',
    replace: 'all.slice(start, start + paging.pageSize - 1)',
    tests: ['test/operations/listContexts.test.ts'],
  },
  {
    name: 'total counts the page instead of all',
    file: 'src/domain/page.ts',
    function: 'pageOf',
    find: 'total: all.length,',
    replace: 'total: Math.min(all.length, paging.pageSize),',
    tests: ['test/operations/listContexts.test.ts'],
  },
  {
    name: 'search answers from another graph',
    file: 'src/handlers/contexts.ts',
    function: 'browseContexts',
    find: 'await graph.searchContexts(parseNameQuery(query.q), toPaging(query))',
    replace:
      "await store.read('demo', async (demo) => demo.searchContexts(parseNameQuery(query.q ?? ''), toPaging(query)))",
    tests: ['test/operations/browseContexts.test.ts', 'test/model/json.test.ts'],
  },
  {
    name: 'a write is acknowledged before it is on disk',
    file: 'src/store/json/disk/durable.ts',
    function: 'flushed',
    find: '    await file.datasync()',
    replace: '    void file.datasync()',
    tests: ['test/store/json/graph-files/durable.test.ts'],
  },
  {
    name: 'a journal is never flushed',
    file: 'src/store/json/log/log.ts',
    function: 'append',
    find: '    await flushed(this.#file, this.path)\n    this.#refuseUnlessOurs(',
    replace: '    this.#refuseUnlessOurs(',
    tests: ['test/store/json/graph-files/durable.test.ts'],
  },
  {
    name: 'a relationship never weighs more than two',
    file: 'src/store/json/memory/relations.ts',
    function: 'toRelationship',
    find: 'weight: statedBy.size,',
    replace: 'weight: Math.min(statedBy.size, 2),',
    tests: ['test/operations/listRelationships.test.ts', 'test/store/json/contract.test.ts'],
  },
  {
    name: 'a relationship in PostgreSQL never weighs more than two',
    file: 'src/store/postgres/write/flush-links.ts',
    function: 'flushRelations',
    find: 'SET weight = relations.weight + excluded.weight,',
    replace: 'SET weight = least(relations.weight + excluded.weight, 2),',
    tests: ['test/store/postgres/contract.test.ts'],
  },
  {
    name: 'a repeated event is counted twice',
    file: 'src/store/json/memory/graph.ts',
    function: '#sight',
    find: 'row.sightings = grown(row.sightings, record.seq)',
    replace: 'row.sightings = grown(grown(row.sightings, record.seq), record.seq)',
    tests: ['test/operations/recordEvent.test.ts', 'test/store/json/contract.test.ts'],
  },
  {
    name: 'incoming links are forgotten',
    file: 'src/store/json/memory/relations.ts',
    function: 'relate',
    find: '  to.incoming = noted(to.incoming, kind, by.context, by, at)\n',
    replace: '',
    tests: ['test/operations/listRelationships.test.ts'],
  },
  {
    name: 'types are looked up as in a plain object',
    file: 'src/store/json/memory/contexts.ts',
    function: 'Contexts',
    find: 'readonly #types = new Map<string, SortedList<ContextRow>>()',
    replace:
      'readonly #types = new (class extends Map<string, SortedList<ContextRow>> { override get(key: string) { return Reflect.get({}, key) ?? super.get(key) } })()',
    tests: ['test/store/json/contract.test.ts', 'test/model/json.test.ts'],
  },
  {
    name: 'one operation needs no secret',
    file: 'src/http/steps/auth.ts',
    function: 'auth',
    find: '    if (secret === undefined) throw challenge(HOW)',
    replace:
      "    if (res.locals.operation.id === 'listContexts') return next()\n    if (secret === undefined) throw challenge(HOW)",
    tests: ['test/operations/listContexts.test.ts'],
  },
  {
    name: 'scopes are not checked',
    file: 'src/http/steps/auth.ts',
    function: 'auth',
    find: 'if (!principal.scopes.includes(scope))',
    replace: 'if (principal.scopes.length === 0)',
    tests: ['test/contract/scopes.test.ts'],
  },
  {
    name: 'a key reaches every graph',
    file: 'src/http/steps/auth.ts',
    function: 'auth',
    find: "if (graphIn === 'path') checkReach",
    replace: 'if (scope === undefined) checkReach',
    tests: ['test/contract/scopes.test.ts'],
  },
  {
    name: 'an expired key is good',
    file: 'src/http/steps/auth.ts',
    function: 'authenticator',
    find: 'now().getTime() >= Date.parse(key.expiresAt)',
    replace: 'now().getTime() < 0',
    tests: ['test/operations/createKey.test.ts', 'test/http/steps/auth.test.ts'],
  },
  {
    name: 'a key gives more than it holds',
    file: 'src/domain/keys.ts',
    function: 'graphsWithin',
    find: 'graphs?.every((graph) => reach.includes(graph)) ?? false',
    replace: 'graphs?.every((graph) => graph !== reach[-1]) ?? false',
    tests: ['test/operations/createKey.test.ts'],
  },
  {
    name: 'a contradiction never replaces anything',
    file: 'src/domain/trust/trust.ts',
    function: 'assess',
    find: '!voice.contested && priorOf',
    replace: '!voice.contested && voice.seq < 0 && priorOf',
    tests: ['test/domain/trust/trust.test.ts', 'test/store/json/contract.test.ts'],
  },
  {
    name: 'an Idempotency-Key is forgotten by a restart',
    file: 'src/store/json/open-graph/open-graph.ts',
    function: 'openFrom',
    find: 'if (kept !== undefined) idempotency.keep(kept, kept.receipts ?? receipts)',
    replace: 'if (kept !== undefined && receipts.length < 0) idempotency.keep(kept, receipts)',
    tests: ['test/store/json/contract.test.ts', 'test/operations/recordEvent.test.ts'],
  },
  {
    name: 'a 405 does not say what is allowed',
    file: 'src/http/steps/router.ts',
    function: 'router',
    find: 'headers: { Allow: route.allow },',
    replace: 'headers: {},',
    tests: ['test/http/steps/router.test.ts'],
  },
  {
    name: 'a HEAD is answered with a body',
    file: 'src/http/response/send.ts',
    function: 'send',
    find: '  begin(res, status, headers, content)\n',
    replace:
      "  begin(res, status, headers, content)\n  if (res.req.method === 'HEAD') res.socket?.write(content)\n",
    tests: ['test/http/steps/router.test.ts'],
  },
  {
    name: 'an empty array of names matches nothing',
    file: 'src/handlers/wire.ts',
    function: 'toContextFilter',
    find: 'if (names.length === 0) types.push(type)',
    replace: "if (names.length === 0) contextIds.push('no:such')",
    tests: ['test/operations/recallMemories.test.ts', 'test/operations/generateInsight.test.ts'],
  },
  {
    name: 'every insight is sure of itself',
    file: 'src/domain/insight/6-calibrate/calibrate.ts',
    function: 'calibrate',
    find: "const level = score >= model.high ? 'high'",
    replace: "const level = score >= 0 ? 'high'",
    tests: ['test/domain/insight', 'test/operations/generateInsight.test.ts'],
  },
  {
    name: 'links to an erased memory stay',
    file: 'src/store/json/changes/erase.ts',
    function: 'rebuildWithout',
    find: 'record.links.filter(({ target }) => !ids.has(target))',
    replace: 'record.links.filter(({ target }) => target !== undefined)',
    tests: ['test/store/json/contract.test.ts', 'test/model/json.test.ts'],
  },
  {
    name: 'a changed import is taken',
    file: 'src/domain/transfer/decode.ts',
    function: 'checkLast',
    find: 'if (sha256 !== digest)',
    replace: 'if (sha256 === undefined)',
    tests: ['test/operations/importGraph.test.ts'],
  },
]
