import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { MAX_KEY_NAME_LENGTH } from '../../../src/cli/agents/connect.js'
import { GRAPH_ID, graphMistakes, MAX_GRAPH_ID_LENGTH } from '../../../src/cli/agents/wiring.js'
import { OPTIONS, wholeNumber } from '../../../src/cli/parse/options.js'
import { LARGEST_PAGE, MAX_CONTEXTS } from '../../../src/cli/target/api.js'

const { schemas, parameters } = parse(
  readFileSync(new URL('../../../openapi/openapi.yaml', import.meta.url), 'utf8'),
).components

test('what is not given is what the contract takes for it', () => {
  expect(Number(OPTIONS.limit.fallback)).toBe(schemas.MemoryLimit.default)
  expect(Number(OPTIONS['max-chars'].fallback)).toBe(parameters.MaxChars.schema.default)
  expect(Number(OPTIONS.depth.fallback)).toBe(parameters.Depth.schema.default)
})

test('as much is asked for at once as the contract allows', () => {
  expect(LARGEST_PAGE).toBe(parameters.PageSize.schema.maximum)
  expect(MAX_CONTEXTS).toBe(parameters.MostContexts.schema.maximum)
  expect(MAX_KEY_NAME_LENGTH).toBe(schemas.KeyName.maxLength)
})

test('what becomes a part of file names and command lines is the id of a graph by the contract', () => {
  expect([GRAPH_ID.source, MAX_GRAPH_ID_LENGTH]).toEqual([schemas.GraphId.pattern, schemas.GraphId.maxLength])
  expect(graphMistakes('a.b_c-D9')).toEqual([])
  for (const graph of ['', '.hidden', '../x', 'x'.repeat(129)]) expect(graphMistakes(graph)).toHaveLength(1)
})

test('a number is digits alone', () => {
  expect(wholeNumber('100')).toBe(100)
  for (const text of ['', ' 1', '1e1', '-1', '1.5', '0x1']) expect(wholeNumber(text), text).toBeNaN()
})
