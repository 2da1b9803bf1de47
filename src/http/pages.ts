import type { Contract } from './contract.js'
import { docsPolicy } from './docs.js'
import { etagOf, matches } from './etag.js'
import type { Answer, Rung } from './exchange.js'
import { pathOf } from './guard.js'
import { Refusal } from './problems.js'
import { send } from './send.js'

/** Why the service should get no requests now; undefined when it should. */
export type Unready = () => string | undefined

interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: string
}

const ALLOW = 'GET, HEAD, OPTIONS'

/** Everything that is served and is not in the contract, in one place. None of it needs a secret. */
export function pages(contract: Contract, docs: string | undefined, unready: Unready): Rung {
  const table: Readonly<Record<NonContractPath, () => Page>> = {
    '/livez': always(probe),
    '/readyz': () => {
      const reason = unready()
      if (reason !== undefined) throw new Refusal('not_ready', reason)
      return probe
    },
    '/openapi.yaml': always(page('application/yaml; charset=utf-8', contract.yaml)),
    '/openapi.json': always(page('application/json; charset=utf-8', contract.json)),
    '/docs': docs === undefined ? missingDocs : always(docsPage(docs)),
    '/': always({ status: 302, headers: { Location: '/docs' }, content: '' }),
  }
  const byPath = new Map<string, () => Page>(Object.entries(table))
  return (req, res, next) => {
    const path = pathOf(req.url)
    const make = byPath.get(path)
    if (make === undefined) return next()
    res.locals.route = path
    if (req.method === 'OPTIONS') send(res, 204, { Allow: ALLOW })
    else if (req.method !== 'GET' && req.method !== 'HEAD')
      throw new Refusal('method_not_allowed', `${req.method} is not one of ${ALLOW}.`, {
        headers: { Allow: ALLOW },
      })
    else answer(res, make(), req.headers['if-none-match'])
  }
}

export const NON_CONTRACT_PATHS = [
  '/livez',
  '/readyz',
  '/openapi.yaml',
  '/openapi.json',
  '/docs',
  '/',
] as const
type NonContractPath = (typeof NON_CONTRACT_PATHS)[number]

const probe: Page = {
  status: 200,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  content: '{"status":"ok"}',
}

function page(type: string, content: string): Page {
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-cache', ETag: etagOf(content) }
  return { status: 200, headers, content }
}

function docsPage(html: string): Page {
  const { headers, ...rest } = page('text/html; charset=utf-8', html)
  return { ...rest, headers: { ...headers, 'Content-Security-Policy': docsPolicy(html) } }
}

function missingDocs(): never {
  throw new Refusal('not_found', 'The documentation has not been built: run npm run build.')
}

function always(made: Page): () => Page {
  return () => made
}

function answer(res: Answer, { status, headers, content }: Page, known: string | undefined): void {
  const fresh = known !== undefined && headers['ETag'] !== undefined && matches(known, headers['ETag'])
  if (fresh) send(res, 304, { ...headers })
  else send(res, status, { ...headers }, content)
}
