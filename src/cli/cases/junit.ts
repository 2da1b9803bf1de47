import type { Case } from './case-file.js'

/** A case that was asked. */
export interface Result {
  readonly case: Case
  readonly confidence: string
  /** What the answer told. */
  readonly insight: string
  /** What is wrong with it; nothing if it passed. */
  readonly wrong: readonly string[]
}

/** The results as JUnit XML, which build servers show. */
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
