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
 * Finds the operation: 404 when no path of the contract fits, 405 with `Allow` when the method does not. Exact to the
 * letter and the slash. `HEAD` is served as `GET`; `OPTIONS` is answered here, without a secret.
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
    // A boundary: a method that no operation has is not found.
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

/** The paths of the contract by their number of segments, those with more fixed ones first. */
function routesOf(operations: readonly Operation[]): Map<number, Route[]> {
  const byPath = new Map<string, Operation[]>()
  for (const operation of operations)
    byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation])
  const routes = [...byPath]
    .map(([template, own]) => ({
      template,
      segments: template.split('/'),
      operations: new Map(own.map((operation) => [operation.method, operation])),
      allow: allMethods(own),
    }))
    .sort((a, b) => a.segments.filter(isParameter).length - b.segments.filter(isParameter).length)
  const bySize = new Map<number, Route[]>()
  for (const route of routes)
    bySize.set(route.segments.length, [...(bySize.get(route.segments.length) ?? []), route])
  return bySize
}

/** The value of `Allow`: the methods of the contract and those that come with them. */
function allMethods(operations: readonly { readonly method: Method }[]): string {
  const methods = new Set<string>(['OPTIONS', ...operations.map(({ method }) => method)])
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].sort().join(', ')
}

function fits(route: Route, segments: readonly string[]): boolean {
  return route.segments.every((own, i) => (isParameter(own) ? segments[i] !== '' : own === segments[i]))
}

function paramsOf(route: Route, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  route.segments.forEach((own, i) => {
    if (isParameter(own)) params[own.slice(1, -1)] = decodeURIComponent(segments[i] ?? '')
  })
  return params
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}
