import { expect, test } from 'vitest'
import { inKnownForms } from '../../../../src/domain/insight/forms.js'
import { analyse } from '../../../../src/domain/insight/query.js'
import { inverseDocumentFrequency } from '../../../../src/domain/search/bm25.js'

const MEMORIES = 100

/** The terms of a question in a graph that holds each of these words once. */
async function termsIn(known: readonly string[], question: string): Promise<readonly string[]> {
  const weigh = (terms: readonly string[]) =>
    new Map(terms.map((term) => [term, inverseDocumentFrequency(MEMORIES, known.includes(term) ? 1 : 0)]))
  const query = analyse(question)
  const retrieved = {
    ...{ found: [], idf: weigh(query.terms), averageLength: 1 },
    ...{ memoryCount: MEMORIES, newestAt: '2026-01-01T00:00:00.000Z' },
  }
  return (await inKnownForms(query, retrieved, weigh)).terms
}

test.each([
  ['Who owns the gateway?', ['owner', 'gatewai'], ['owner', 'gatewai']],
  ['Who conducts?', ['conductor'], ['conductor']],
  ['Why do we see 502s?', ['502'], ['see', '502']],
])('what a graph knows in another form only is looked for in that: %s', async (question, known, terms) => {
  expect(await termsIn(known, question)).toEqual(terms)
})

test.each([
  ['a word that it knows', 'Who owns the gateway?', ['own', 'owner']],
  ['a name', 'Who is Tim?', ['timer']],
  ['a thing', 'Who has the moth?', ['mother']],
  ['what nobody is asked for', 'Which team owns it?', ['owner']],
])('%s stays as it is', async (_, question, known) => {
  expect(await termsIn(known, question)).toEqual(analyse(question).terms)
})
