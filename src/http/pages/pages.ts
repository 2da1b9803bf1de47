import type { Request, Router } from 'express'
import type { MetricsReaders } from '../../config/serving.js'
import type { Contract } from '../../contract/contract.js'
import type { Answer, Received } from '../pipeline/exchange.js'
import { StepList } from '../pipeline/step-list.js'
import { HttpFailure } from '../problems/problems.js'
import { chooseEncoding } from '../response/compress.js'
import { matches } from '../response/etag.js'
import { addRoute, createRouter } from '../response/router.js'
import { send } from '../response/send.js'
import { DOCS, docsPages } from './docs.js'
import { ASSETS, explorerPages } from './explorer.js'
import { type Page, page, type ReadFiles } from './file-cache.js'
import type { Metrics } from './metrics.js'

/** The reason why the service is not ready for requests; undefined when it is ready. */
export type Unready = () => string | undefined

interface PageParts {
  readonly contract: Contract
  readonly docs: ReadFiles
  readonly explorer: ReadFiles
  readonly unready: Unready
  readonly metrics: Metrics
  readonly metricsReaders: MetricsReaders
}

type MakePage = (req: Request, path: string) => Page | Promise<Page>

/** Routes the pages that are not part of the contract. None of them needs a secret. */
export function pages(parts: PageParts): Router {
  const { contract, unready, metrics, metricsReaders } = parts
  const docs = docsPages(parts.docs)
  const explorer = explorerPages(parts.explorer)
  const table: Readonly<Record<PagePath, MakePage>> = {
    '/livez': always(probe),
    '/readyz': () => {
      const reason = unready()
      if (reason !== undefined) throw new HttpFailure('not_ready', reason)
      return probe
    },
    '/metrics': (req) => {
      if (!mayRead(metricsReaders, req)) throw new HttpFailure('not_found', NOT_HERE)
      return metrics.text().then((text) => metricsPage(metrics.contentType, text))
    },
    '/openapi.yaml': always(page('application/yaml; charset=utf-8', contract.yaml)),
    '/openapi.json': always(page('application/json; charset=utf-8', contract.json)),
    '/docs': (req) => docs.index(chooseEncoding(req)),
    [DOCS]: (req, path) => docs.page(path, chooseEncoding(req)),
    '/': (req) => explorer.index(chooseEncoding(req)),
    [ASSETS]: (req, path) => explorer.asset(path, chooseEncoding(req)),
  }
  const router = createRouter()
  for (const [path, make] of Object.entries(table)) {
    const serve = new StepList<Received>().add(async (req, res) =>
      answer(res, await make(req, res.locals.path), req.headers['if-none-match']),
    )
    const isPrefix = path === DOCS || path === ASSETS
    addRoute(router, isPrefix ? `${path}{*rest}` : path, path, [['GET', ...serve.middleware]])
  }
  return router
}

const PAGE_PATHS = [
  '/livez',
  '/readyz',
  '/metrics',
  '/openapi.yaml',
  '/openapi.json',
  '/docs',
  '/',
  DOCS,
  ASSETS,
] as const
type PagePath = (typeof PAGE_PATHS)[number]

/** Agent hosts post their events here; see hooks.ts. */
export const HOOKS_PATH = '/hooks/{graph_id}/{host}'
export const NON_CONTRACT_PATHS = [...PAGE_PATHS, HOOKS_PATH] as const

/** Also not part of the contract: clients post MCP messages here, with a secret; see steps/mcp.ts. */
export const MCP_PATHS = ['/mcp', '/mcp/{graph_id}'] as const

const probe: Page = {
  status: 200,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  content: '{"status":"ok"}',
}

const NOT_HERE = 'Metrics are not served to this address; LOREGRAPH_METRICS says to whom they are.'
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/** A request forwarded by a proxy on this machine does not count as local. */
function mayRead(readers: MetricsReaders, req: Request): boolean {
  if (readers !== 'local') return readers === 'public'
  const address = req.socket.remoteAddress ?? ''
  const local = address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.')
  return local && FORWARDED.every((name) => req.headers[name] === undefined)
}

function metricsPage(type: string, content: string): Page {
  return { status: 200, headers: { 'Content-Type': type, 'Cache-Control': 'no-store' }, content }
}

function always(page: Page): () => Page {
  return () => page
}

function answer(res: Answer, { status, headers, content }: Page, tags: string | undefined): void {
  const isFresh = tags !== undefined && headers['ETag'] !== undefined && matches(tags, headers['ETag'])
  if (isFresh) send(res, 304, { ...headers })
  else send(res, status, { ...headers }, content)
}
