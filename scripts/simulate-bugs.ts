/**
 * `npm run simulate:bugs`: plants one bug after the other in a copy of the project and runs the simulation on it. A bug that
 * no seed finds, or that no longer fits the source, is an error.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyOfProject, planted } from './mutants/plant.js'
import type { Mutant } from './mutants/table.js'

type Bug = Pick<Mutant, 'name' | 'file' | 'find' | 'replace'>

const BUGS: readonly Bug[] = [
  {
    name: 'a group commit decides on an overlay without what was said before',
    file: 'src/domain/events/recording.ts',
    find: 'const same = this.#new.get(content.key) ?? this.#graph.sameEvent(content)',
    replace: 'const same = this.#graph.sameEvent(content)',
  },
  {
    name: 'an append does not look whether the graph has another head',
    file: 'test/support/memory-log/memory-log.ts',
    find: 'if (!isSame(graph?.head, after)) throw new Behind()',
    replace: 'if ((graph === undefined) !== (after === undefined)) throw new Behind()',
  },
  {
    name: 'an append compares heads and commits without a lock in between',
    file: 'test/support/memory-log/memory-log.ts',
    find: "return this.#change('append', graphId, commit, (graph)",
    replace: `this.#current(graphId, after)
    await this.#hooks.before?.('append', graphId)
    const late = () => {
      const graph = this.#storage.graphs.get(graphId)
      if (graph === undefined) this.#put(graphId, { head, rows })
      else this.#extend(graph, head, rows)
      return head
    }
    return this.#change('append', graphId, late, (graph)`,
  },
  {
    name: 'heads are compared without the id of the append',
    file: 'src/log/graph-log.ts',
    find: 'return a.epoch === b.epoch && a.position === b.position && a.appendId === b.appendId',
    replace: 'return a.epoch === b.epoch && a.position === b.position',
  },
  {
    name: 'an erasure leaves records that it was to take',
    file: 'src/log/erasure.ts',
    find: 'return ids.has(record.id) ? [] : withoutLinks(record, ids, decided)',
    replace: "return ids.has(record.id) && record.op !== 'sighted' && record.seq > 1 ? [] : record",
  },
  {
    name: 'a tail is applied twice',
    file: 'src/log/copy.ts',
    find: '      await applyEntry(copy, entry, yielding)\n    }\n  copy.head = head',
    replace:
      '      await applyEntry(copy, entry, yielding)\n      if (!isNew) await applyEntry(copy, entry, yielding)\n    }\n  copy.head = head',
  },
  {
    name: 'a key is looked up only before the first attempt',
    file: 'src/log/drafts.ts',
    find: 'const known = append.once && idempotency.find(append.once)',
    replace: 'const known = undefined as ReturnType<typeof idempotency.find>',
  },
]

const SEEDS = 1_000

const copy = copyOfProject()
let missed = 0
try {
  for (const bug of BUGS) if (!(await isFound(bug))) missed++
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${BUGS.length - missed} of ${BUGS.length} bugs found within ${SEEDS} seeds`)
process.exitCode = missed === 0 ? 0 : 1

async function isFound(bug: Bug): Promise<boolean> {
  const { name, file, find } = bug
  if (readFileSync(join(copy, file), 'utf8').split(find).length !== 2) {
    console.log(`does not fit: ${name}`)
    return false
  }
  const stderr = await planted(copy, bug, () => run('--seeds', String(SEEDS), '--first'))
  const [found, seed] = /Seed (\d+), step \d+: .{0,100}/.exec(stderr) ?? []
  // Without the bug, the same seed must find nothing.
  const isBecauseOfIt = seed !== undefined && !run('--seed', seed).includes('Seed ')
  console.log(isBecauseOfIt ? `found   ${name} (${found})` : `MISSED  ${name} ${stderr.slice(0, 200)}`)
  return isBecauseOfIt
}

function run(...args: readonly string[]): string {
  return spawnSync('npx', ['tsx', 'scripts/simulate.ts', ...args], { cwd: copy, encoding: 'utf8' }).stderr
}
