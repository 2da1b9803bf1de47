import { readFileSync } from 'node:fs'
import { errorCode, Failure } from '../../domain/failure.js'
import { type Case, readCases } from '../cases/case-file.js'
import { draftCases, toYaml } from '../cases/draft.js'
import { judge } from '../cases/judge.js'
import { exitOf, Stop, usage } from '../output/exits.js'
import { hang, harmless, paint } from '../output/terminal.js'
import { writeNew, writeWhole } from '../output/whole-file.js'
import { OPTIONS } from '../parse/options.js'
import { Refusal } from '../target/api.js'
import { noteUnread } from './insight.js'
import type { Job } from './job.js'

/** `loregraph eval`: asks the questions of a file, or with `--write` drafts such a file. */
export async function evaluate(job: Job): Promise<void> {
  const { values, operands } = job
  const [file] = operands
  const graph = values.write
  if (graph !== undefined && (values.junit !== undefined || values.json !== undefined))
    throw usage(['--junit and --json go with a file of cases, not with --write.'], 'eval')
  if (graph !== undefined) return draft(graph, file, job)
  if (file === undefined)
    throw usage(['eval needs a file of cases, or --write <graph> to draft one.'], 'eval')
  return check(file, readCases(textOf(file), file), job)
}

async function check(file: string, cases: readonly Case[], job: Job): Promise<void> {
  const { api, values, print, note, pid } = job
  const results: Result[] = []
  let unread = 0
  for (const one of cases) {
    const { ask: task, graph: graph_id, limit } = one
    const answer = await api.insight({ graph_id, task, limit, explain: true }).catch((error: unknown) => {
      throw inCase(error, file, task)
    })
    unread = Math.max(unread, answer.unread ?? 0)
    const result = {
      case: one,
      confidence: answer.confidence,
      insight: answer.insight,
      wrong: judge(one, answer),
    }
    results.push(result)
    if (values.json === undefined) show(result, job)
  }
  noteUnread(unread, note)
  if (values.junit !== undefined) await writeWhole(values.junit, [toJunit(file, results)], pid)
  const failed = results.filter(({ wrong }) => wrong.length > 0).length
  if (values.json)
    print(JSON.stringify({ cases: results.map(toJson), passed: cases.length - failed, failed }))
  else print(`${cases.length - failed} of ${cases.length} passed.`)
  if (failed > 0) throw new Stop('failed', `${failed} of ${cases.length} cases failed.`)
}

/** An answer that was refused, with the case that asked for it; the exit code stays that of the refusal. */
function inCase(error: unknown, file: string, task: string): unknown {
  if (!(error instanceof Failure) && !(error instanceof Refusal)) return error
  const exit = error instanceof Failure ? exitOf(error.code) : error.exit
  return new Stop(exit, `${file}: ${JSON.stringify(task)}: ${error.message}`, { cause: error })
}

const VERDICT = 8
const LEVEL = 8

function show({ case: { ask }, confidence, wrong }: Result, { terminal, print }: Job): void {
  const [verdict, colour] = wrong.length === 0 ? (['passed', 'green'] as const) : (['FAILED', 'red'] as const)
  const label = `${verdict.padEnd(VERDICT)}${confidence.padEnd(LEVEL)}`
  print(hang(label, harmless(ask), terminal.columns).replace(verdict, paint(terminal, colour, verdict)))
  for (const sentence of wrong)
    print(hang(`${' '.repeat(VERDICT + LEVEL)}- `, harmless(sentence), terminal.columns))
}

function toJson({ case: { ask, graph }, confidence, wrong }: Result) {
  return { ask, graph, passed: wrong.length === 0, confidence, wrong }
}

async function draft(graph: string, file: string | undefined, job: Job): Promise<void> {
  const cases = await draftCases(job.api, graph, Number(OPTIONS.limit.fallback))
  if (cases.length === 0)
    throw new Stop('noInput', `No memory of the graph ${graph} is found by a question made from it.`)
  const text = toYaml(graph, cases)
  if (file === undefined) return void job.terminal.stdout.write(text)
  await writeNew(file, text)
  job.note(`${cases.length} cases are in ${file}. Ask them with: loregraph eval ${file}`)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Stop('noInput', `${file} cannot be read (${errorCode(error) ?? error}).`, { cause: error })
  }
}

interface Result {
  readonly case: Case
  readonly confidence: string
  readonly insight: string
  /** What is wrong with it; nothing if it passed. */
  readonly wrong: readonly string[]
}

export function toJunit(file: string, results: readonly Result[]): string {
  const counts = `tests="${results.length}" failures="${results.filter(({ wrong }) => wrong.length > 0).length}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="loregraph eval" ${counts}>`,
    `  <testsuite name="${escaped(file)}" ${counts}>`,
    ...results.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase({ case: { graph, ask }, wrong, insight }: Result): string {
  const begin = `    <testcase classname="${escaped(graph)}" name="${escaped(ask)}"`
  if (wrong.length === 0) return `${begin}/>`
  return `${begin}>\n      <failure message="${escaped(wrong.join('; '))}">${escaped(insight)}</failure>\n    </testcase>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** What XML 1.0 does not allow, not even escaped. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

function escaped(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter)
}
