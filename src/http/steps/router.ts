import type { Method, Operation } from '../../contract/contract.js'
import type { Received, Routed, Step } from '../pipeline/exchange.js'
import { HttpFailure } from '../problems/problems.js'
import { send } from '../response/send.js'

interface Route {
  readonly template: string
  readonly segments: readonly string[]
  readonly operations: ReadonlyMap<Method, Operation>
  readonly allow: string
}

/**
 * Finds the operation of a request. Throws 404 when no path of the contract matches, and 405 with `Allow`
 * when the path does not have the method. Paths are case-sensitive, and a trailing slash counts. `HEAD` is
 * served as `GET`; `OPTIONS` is answered here, without a secret.
 */
export function router(
  operations: readonly Operation[],
): Step<Received, Pick<Routed, 'operation' | 'pathParams'>> {
  const routes = routesOf(operations)
  return (req, res, next) => {
    const { path } = res.locals
    if (path === '*') return send(res, 204, { Allow: allMethods(operations) })
    const segments = path.split('/')
    const route = routes.get(segments.length)?.find((candidate) => fits(candidate, segments))
    if (route === undefined)
      throw new HttpFailure('not_found', `There is nothing at ${path}. The contract is at /openapi.yaml.`)
    res.locals.route = route.template
    if (req.method === 'OPTIONS') return send(res, 204, { Allow: route.allow })
    // A boundary: `get` returns undefined for a method that is not in the contract.
    const operation = route.operations.get((req.method === 'HEAD' ? 'GET' : req.method) as Method)
    if (operation === undefined)
      throw new HttpFailure('method_not_allowed', `${req.method} is not one of ${route.allow}.`, {
        headers: { Allow: route.allow },
      })
    res.locals.operation = operation
    res.locals.route = operation.id
    res.locals.pathParams = paramsOf(route, segments)
    next()
  }
}

/** Routes by their number of segments, with more specific routes (fewer parameters) first. */
function routesOf(operations: readonly Operation[]): Map<number, Route[]> {
  const byPath = new Map<string, Operation[]>()
  for (const operation of operations)
    byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation])
  const routes = [...byPath]
    .map(([template, ofPath]) => ({
      template,
      segments: template.split('/'),
      operations: new Map(ofPath.map((operation) => [operation.method, operation])),
      allow: allMethods(ofPath),
    }))
    .sort((a, b) => a.segments.filter(isParameter).length - b.segments.filter(isParameter).length)
  const bySize = new Map<number, Route[]>()
  for (const route of routes)
    bySize.set(route.segments.length, [...(bySize.get(route.segments.length) ?? []), route])
  return bySize
}

/** The value of `Allow`: the methods of the contract, `OPTIONS`, and `HEAD` where there is `GET`. */
function allMethods(operations: readonly { readonly method: Method }[]): string {
  const methods = new Set<string>(['OPTIONS', ...operations.map(({ method }) => method)])
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].sort().join(', ')
}

function fits(route: Route, segments: readonly string[]): boolean {
  return route.segments.every((part, i) => (isParameter(part) ? segments[i] !== '' : part === segments[i]))
}

function paramsOf(route: Route, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  route.segments.forEach((part, i) => {
    if (isParameter(part)) params[part.slice(1, -1)] = decodeURIComponent(segments[i] ?? '')
  })
  return params
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}
