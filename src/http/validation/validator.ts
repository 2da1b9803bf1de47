import type { NextFunction, Request, Response } from 'express'
import { middleware } from 'express-openapi-validator'
import {
  type Contract,
  type ContractDocument,
  type Operation,
  requestSchema,
  resolve,
  type Schema,
} from '../../contract/contract.js'
import type { Checked, Parsed, Step } from '../pipeline/exchange.js'
import { invalidFields } from '../problems/problems.js'
import { type Finding, fieldErrors } from './field-errors.js'

type Middleware = (req: Request, res: Response, next: NextFunction) => unknown

/** What the look-up of the validator adds to a request. */
interface WithRoute {
  openapi?: Route
}

interface Route {
  readonly expressRoute: string
  readonly openApiRoute: string
  readonly pathParams: Record<string, string>
  /** The validator's copy of the operation. */
  readonly schema: object
  readonly serial: number
}

/**
 * Creates the validation step. Looks up every route and compiles its schemas before it resolves, so that an
 * error in the contract stops the start and not the first request. Requests skip the look-up of
 * express-openapi-validator, which would compile every path of the contract again for each of them.
 */
export async function createValidator(contract: Contract): Promise<Step<Parsed, Pick<Checked, 'input'>>> {
  const steps: Middleware[] = middleware({
    // The validator supports OpenAPI 3.1, but its types are of 3.0.
    apiSpec: requestSide(contract.document) as Parameters<typeof middleware>[0]['apiSpec'],
    // `npm run check` validates the contract; doing it here would take a fifth of every start.
    validateApiSpec: false,
    validateRequests: { allErrors: false, coerceTypes: false },
    validateResponses: false,
    // auth.ts checks secrets, before the body is read.
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
  })
  const validate = validationAmong(steps)
  const routes = new Map<string, { found: Route; schema: Schema }>()
  for (const operation of contract.operations)
    routes.set(operation.id, {
      found: await warm(steps, operation),
      schema: requestSchema(contract.document, operation),
    })
  return (req, res, next) => {
    const { operation, pathParams, query, stream } = res.locals
    const route = routes.get(operation.id)
    if (route === undefined) throw new Error(`the validator does not know ${operation.id}`)
    const withRoute: Request & WithRoute = req
    withRoute.openapi = { ...route.found, pathParams }
    Object.defineProperty(req, 'query', {
      value: query,
      writable: true,
      configurable: true,
      enumerable: true,
    })
    const toProblem = (error: unknown) => {
      if (!isValidatorError(error) || error.status !== 400) return error
      const sent = { params: pathParams, query, headers: req.headers, body: req.body }
      return invalidFields(fieldErrors(contract.document, route.schema, sent, error.errors))
    }
    validate(req, res, (error?: unknown) => {
      if (error !== undefined) return next(toProblem(error))
      res.locals.input = { path: pathParams, query, headers: req.headers, body: stream ?? req.body }
      next()
    })
  }
}

/** Finds the validation step by its name, since a new version may add steps before or after it. */
export function validationAmong<Named extends { readonly name: string }>(steps: readonly Named[]): Named {
  const found = steps.find((step) => step.name === 'requestMiddleware')
  if (found === undefined)
    throw new Error('express-openapi-validator has no step named requestMiddleware: see validator.ts')
  return found
}

/** Looks up the route by sending a request with an unknown parameter, which the validator must refuse. */
async function warm(steps: readonly Middleware[], operation: Operation): Promise<Route> {
  const url = operation.path.replace(/\{\w+\}/g, 'x')
  const contentType = operation.consumes[0]
  // Only the members that the validator reads.
  const req = {
    method: operation.method,
    url,
    originalUrl: url,
    path: url,
    baseUrl: '',
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    params: {},
    query: { 'no such parameter': '1' },
    body: {},
    app: { enabled: () => true, param: () => {} },
  } as unknown as Request & WithRoute
  try {
    for (const step of steps) await run(step, req, {} as Response)
  } catch (error) {
    if (isValidatorError(error) && error.status === 400 && req.openapi !== undefined) return req.openapi
    throw new Error(`the contract of ${operation.id} cannot be enforced: ${String(error)}`, { cause: error })
  }
  throw new Error(`the validator lets anything through to ${operation.id}`)
}

function run(step: Middleware, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    step(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)))
  })
}

interface ValidatorError {
  readonly status: number
  readonly errors: readonly Finding[]
}

function isValidatorError(error: unknown): error is ValidatorError {
  return error instanceof Error && 'status' in error && 'errors' in error && Array.isArray(error.errors)
}

/** The validator requires each operation to have an answer. */
const ANY_ANSWER = { default: { description: 'Any answer.' } }

/**
 * The contract without answers, with all references resolved. The validator walks the whole document twice
 * for each operation, and answers are nine tenths of it.
 */
export function requestSide(document: ContractDocument): object {
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlined)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return inlined(resolve<object>(document, value as { $ref: string }))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inlined(part)]))
  }
  const { openapi, info, paths } = document
  const withoutAnswers = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([key, part]) => [
        key,
        inlined('responses' in part ? { ...part, responses: ANY_ANSWER } : part),
      ]),
    ),
  ])
  return { openapi, info, paths: Object.fromEntries(withoutAnswers) }
}
