import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { expectBelow } from '../support/quick.js'

const ROOT = fileURLToPath(new URL('../../src/domain/', import.meta.url))
const files = readdirSync(ROOT, { encoding: 'utf8', recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => [name, literalsOf(name)] as const)
  .filter(([, literals]) => literals.length > 0)

/** The regular expressions that are written in a file, each of them global: it is tried from every character. */
function literalsOf(name: string): RegExp[] {
  const source = ts.createSourceFile(name, readFileSync(join(ROOT, name), 'utf8'), ts.ScriptTarget.Latest)
  const literals: RegExp[] = []
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      literals.push(new RegExp(node.text.slice(1, end), `${node.text.slice(end + 1).replace('g', '')}g`))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return literals
}

const LETTERS = ['a', 'A', 'é', '什', 'ひ', '한', 'ก', '\u0301', '👍', '🇫']
const MARKS = [' ', '\n', ...`,.-_:;'’"/()[]{}<>\\%=#@$€*\`…—0`]
const MIXED = ['a ', 'A ', '1 ', 'aA', 'a1', "a'", 'a-', 'a.', 'a_', '1.', '1-', 'a, ', 'a. ', 'a: ', 'A b ']

/** What a text is made of that may keep a pattern busy: letters, marks, and the words that the pattern looks for. */
function unitsFor({ source }: RegExp): string[] {
  const words = [...new Set(source.match(/[A-Za-z]{2,}/g))].map((word) => `${word} `)
  return [...LETTERS, ...MARKS, ...MIXED, ...words.slice(0, 40), words.slice(0, 6).join('') || ' ']
}

const [SHORT, LONG] = [4_000, 16_000]
/** Four times the text takes 4 times as long in linear time, 16 times in quadratic time. */
const MAX_TIMES = 8
/** Quadratic time would be far longer: 16,000² steps of a nanosecond are a quarter of a second. */
const QUICK_MS = 15

function millisecondsFor(pattern: RegExp, text: string): number {
  const before = process.cpuUsage()
  text.replace(pattern, '')
  return process.cpuUsage(before).user / 1000
}

function timesAsLong(pattern: RegExp, unit: string, end: string): number {
  const textOf = (length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + end
  const long = millisecondsFor(pattern, textOf(LONG))
  return long < QUICK_MS ? 0 : long / Math.max(millisecondsFor(pattern, textOf(SHORT)), 0.1)
}

describe('C7: no pattern of the domain takes more than linear time', () => {
  test('C7: they are all found', () =>
    expect(files.flatMap(([, literals]) => literals).length).toBeGreaterThan(90))

  test.each(files)('C7: %s', async (_name, literals) => {
    for (const pattern of literals)
      for (const unit of unitsFor(pattern))
        for (const end of ['', '\0'])
          await expectBelow(
            MAX_TIMES,
            async () => timesAsLong(pattern, unit, end),
            `${pattern} on ${JSON.stringify(unit)} repeated`,
          )
  })
})
