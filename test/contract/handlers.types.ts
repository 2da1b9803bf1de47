/**
 * The proof that nothing is missing, as far as a compiler can give it: `npm run types` fails when one of these lines
 * begins to compile.
 */
import { created, type Handler, type Handlers, ok } from '../../src/contract/operations.js'

declare const all: Handlers
const { getMemory, ...others } = all

export const complete = { ...others, getMemory } satisfies Handlers

// @ts-expect-error a handler is missing
export const missing = others satisfies Handlers

// @ts-expect-error there is one handler too many
export const extra: Handlers = { ...others, getMemory, noSuchOperation: getMemory }

export const wrongBody: Handler<'listContexts'> = async () =>
  // @ts-expect-error the body is another operation's
  ok({ relationships: [], total: 0, context_id: 'a:b' })

export const wrongStatus: Handler<'listContexts'> = async () =>
  // @ts-expect-error the contract has no 201 for this operation
  created({ contexts: [], total: 0, page: 0, page_size: 1 })

export const wrongValue: Handler<'generateInsight'> = async () =>
  // @ts-expect-error confidence is high, medium or low
  ok({ insight: '', recommendation: '', confidence: 'certain' })

export const wrongInput: Handler<'listContexts'> = async ({ path, query }) => {
  // @ts-expect-error there is no such path parameter
  const name: string = path.name
  // @ts-expect-error a page is a number
  const page: string = query.page
  return ok({ contexts: [], total: name.length, page: Number(page), page_size: query.page_size })
}
