import { type IRoute, type RequestHandler, Router } from 'express'
import { lower, type Method, type Operation } from '../../contract/contract.js'
import type { Answer, Received, Routed, Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { send } from './send.js'

/** Paths are case-sensitive, and a trailing slash counts. */
export function createRouter(): Router {
  return Router({ caseSensitive: true, strict: true })
}

/** An operation, and the steps that answer it. */
export type Endpoint = readonly [operation: Operation, steps: readonly RequestHandler[]]

/** Routes operations. Paths with fewer parameters come first, since others may match them, too. */
export function routeOperations(endpoints: readonly Endpoint[]): Router {
  const byPath = new Map<string, Endpoint[]>()
  for (const endpoint of endpoints) {
    const [{ path }] = endpoint
    byPath.set(path, [...(byPath.get(path) ?? []), endpoint])
  }
  const router = createRouter()
  const parameters = (path: string) => path.split('{').length
  for (const [path, ofPath] of [...byPath].sort(([a], [b]) => parameters(a) - parameters(b)))
    addRoute(
      router,
      path.replace(/\{(\w+)\}/g, ':$1'),
      path,
      ofPath.map(([operation, steps]) => [operation.method, ...steps]),
    )
  return router
}

/**
 * Adds a path with all its methods: `OPTIONS` is answered without a secret, Express serves `HEAD` as `GET`, and
 * any other method is refused with 405. `name` is that of the route in the log.
 */
export function addRoute(
  router: Router,
  path: string,
  name: string,
  methods: readonly (readonly [method: Method, ...steps: RequestHandler[]])[],
): void {
  const allow = allowOf(methods.map(([method]) => method))
  const route: IRoute = router.route(path)
  route.all((_req, res: Answer, next) => {
    res.locals.route = name
    next()
  })
  for (const [method, ...steps] of methods) route[lower(method)](...steps)
  route.options((_req, res: Answer) => send(res, 204, { Allow: allow }))
  route.all((req) => {
    throw new HttpFailure('method_not_allowed', `${req.method} is not one of ${allow}.`, {
      headers: { Allow: allow },
    })
  })
}

/** The first step of an operation. */
export function routed(operation: Operation): Step<Received, Pick<Routed, 'operation' | 'pathParams'>> {
  return (req, res, next) => {
    res.locals.operation = operation
    res.locals.route = operation.id
    // A boundary: only a wildcard is a list, and no operation has one.
    res.locals.pathParams = req.params as Record<string, string>
    next()
  }
}

/** The last step of all, for what has no route: `OPTIONS *` asks about the whole service. */
export function notFound(operations: readonly Operation[]): Step<Received> {
  const allow = allowOf(operations.map(({ method }) => method))
  return (_req, res) => {
    const { path } = res.locals
    if (path === '*') return send(res, 204, { Allow: allow })
    throw new HttpFailure('not_found', `There is nothing at ${path}. The contract is at /openapi.yaml.`)
  }
}

/** The value of `Allow`: these methods, `OPTIONS`, and `HEAD` where there is `GET`. */
function allowOf(methods: readonly Method[]): string {
  return [...new Set(['OPTIONS', ...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])].sort().join(', ')
}
