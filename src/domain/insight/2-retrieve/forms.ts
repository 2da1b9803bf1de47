import { isUnheardIn } from '../../search/bm25.js'
import type { Knowledge, Retrieved } from '../../search/knowledge.js'
import { stemOf } from '../../search/text-analysis.js'
import type { Query } from '../1-analyse/query.js'

/** The query with each word of which the graph has never heard in another form, if it knows that one. */
export async function inKnownForms(
  query: Query,
  retrieved: Retrieved,
  weigh: Knowledge['weigh'],
): Promise<Query> {
  const forms = new Map(
    query.terms
      .filter(isUnheardIn(retrieved))
      .map((term) => [term, otherForms(term, query)] as const)
      .filter(([, others]) => others.length > 0),
  )
  if (forms.size === 0) return query
  const idf = await weigh([...new Set([...forms.values()].flat())])
  const isUnheard = isUnheardIn({ ...retrieved, idf })
  const known = (term: string) => forms.get(term)?.find((form) => !isUnheard(form)) ?? term
  if (query.terms.every((term) => known(term) === term)) return query
  const all = (terms: readonly string[]) => [...new Set(terms.map(known))]
  return {
    ...query,
    terms: all(query.terms),
    names: all(query.names),
    clauses: query.clauses.map(all),
    whether: all(query.whether),
    things: query.things.map(all),
  }
}

const MANY = /^\p{N}{2,}s$/u

/** Who `owns` a thing is its `owner`, who `conducts` a choir its `conductor`; one of the `502s` is a `502`. */
function otherForms(term: string, { whoDoes }: Query): string[] {
  if (MANY.test(term)) return [term.slice(0, -1)]
  if (term !== whoDoes) return []
  const verb = term.replace(/e$/u, '')
  return [...new Set([stemOf(`${verb}er`), stemOf(`${verb}or`)])].filter((form) => form !== term)
}
