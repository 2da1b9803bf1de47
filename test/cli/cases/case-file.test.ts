import { describe, expect, test } from 'vitest'
import { readCases } from '../../../src/cli/cases/case-file.js'

const MEMORY = 'mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N'

function mistakes(text: string): string[] {
  try {
    readCases(text, 'cases.yaml')
  } catch (error) {
    expect(error).toMatchObject({ exitCode: 65 })
    return error instanceof Error ? error.message.split('\n') : []
  }
  throw new Error('It was taken.')
}

describe('what a file of cases says', () => {
  test('a case with everything, and one with the least', () => {
    const text = `
graph: demo
cases:
  - ask: Which test runner do we use?
    graph: other
    must: [vitest, ${MEMORY}]
    must_not: [jest]
    confidence: [high, medium]
    limit: 9
  - { ask: Why?, confidence: low }
`
    expect(readCases(text, 'cases.yaml')).toEqual([
      {
        ask: 'Which test runner do we use?',
        graph: 'other',
        must: ['vitest', MEMORY],
        mustNot: ['jest'],
        confidence: ['high', 'medium'],
        limit: 9,
      },
      { ask: 'Why?', graph: 'demo', must: [], mustNot: [], confidence: ['low'], limit: 5 },
    ])
  })

  test('words are as they are written, whatever YAML would make of them', () => {
    const text = 'graph: "1"\ncases:\n  - ask: yes\n    must: [no, 1.10, 0x10, ~, 2026-03-02]\n'
    expect(readCases(text, 'cases.yaml')).toMatchObject([
      { ask: 'yes', graph: '1', must: ['no', '1.10', '0x10', '~', '2026-03-02'] },
    ])
  })
})

describe('65: each mistake is told with its line and what to do', () => {
  test.each([
    ['', 'cases.yaml:1: The file must have a graph and a list of cases. See loregraph eval --help.'],
    ['- ask: x', 'cases.yaml:1: The file must have a graph and a list of cases. See loregraph eval --help.'],
    ['graph: g', 'cases.yaml:1: cases must be a list of at least one case, each with ask.'],
    ['graph: g\ncases: []', 'cases.yaml:2: cases must be a list of at least one case, each with ask.'],
    ['graph: g\ncases: [', 'cases.yaml:2: This is not YAML: '],
    [
      'graph: g\ngraph: h\ncases: [{ ask: x, must: y }]',
      'cases.yaml:2: This is not YAML: Map keys must be unique.',
    ],
    [
      'grahp: g\ncases: [{ ask: x, graph: g, must: y }]',
      'cases.yaml:1: "grahp" is no field of the file. Did you mean graph?',
    ],
  ])('%j', (text, sentence) => expect(mistakes(text)[0]).toContain(sentence))

  const inCase = (lines: string) => mistakes(`graph: g\ncases:\n  - ask: x\n    must: y\n    ${lines}\n`)
  test.each([
    ['must_note: z', '5: "must_note" is no field of a case. Did you mean must_not?'],
    ['colour: z', '5: "colour" is no field of a case. It has ask, graph, must, must_not, confidence, limit.'],
    ['must_not: []', '5: must_not: give a text or a list of texts, none of them empty.'],
    ['must_not: [a, " "]', '5: must_not: give a text or a list of texts, none of them empty.'],
    ['must_not: { a: b }', '5: must_not: give a text or a list of texts, none of them empty.'],
    ['must_not: mem_12', '5: must_not: mem_12 is no memory id; one is mem_ and 26 letters and digits.'],
    ['must_not: y', '3: "y" is in must and in must_not. Leave out one.'],
    ['confidence: sure', '5: confidence must be high, medium, low or a list of these.'],
    ['graph: [g]', '5: graph: give a text.'],
  ])('%s', (line, sentence) => {
    const [first, ...others] = inCase(line)
    expect(first).toContain(`cases.yaml:${sentence}`)
    expect(others).toEqual([])
  })

  test('all of them at once, in the order of the file', () => {
    const text = 'cases:\n  - must: y\n  - ask: x\n    graph: g\n  - words\n'
    expect(mistakes(text)).toEqual([
      'cases.yaml:2: A case needs ask: the question, as a text.',
      'cases.yaml:2: No graph is named: give the case a graph, or the file one for all cases.',
      'cases.yaml:3: The case checks nothing. Give it must, must_not or confidence.',
      'cases.yaml:5: A case must have fields: ask, and at least one of must, must_not and confidence.',
    ])
  })
})
