import type { NextFunction, Request, Response } from 'express'
import { middleware } from 'express-openapi-validator'
import { type Contract, type Operation, requestSchema, type Schema } from '../../contract/contract.js'
import type { Checked, Parsed, Step } from '../pipeline/exchange.js'
import { invalidFields } from '../problems/problems.js'
import { type Finding, fieldErrors } from './field-errors.js'
import { requestSide } from './request-side.js'

type Middleware = (req: Request, res: Response, next: NextFunction) => unknown

/** A request once the validator has looked up its route. */
interface LookedUp {
  openapi?: Route
}

interface Route {
  readonly expressRoute: string
  readonly openApiRoute: string
  readonly pathParams: Record<string, string>
  /** The operation as the validator has it. */
  readonly schema: object
  readonly serial: number
}

/**
 * express-openapi-validator, warmed: every route has been looked up and its schemas compiled before this resolves, so
 * that a fault in the contract shows at the start and not at the first request. The look-up, which would compile
 * every path of the contract again for each request, is done only here; each request goes straight to the validation.
 */
export async function createValidator(contract: Contract): Promise<Step<Parsed, Pick<Checked, 'input'>>> {
  const steps: Middleware[] = middleware({
    // Its types are of OpenAPI 3.0; it reads 3.1 by the version in the text.
    apiSpec: requestSide(contract.document) as Parameters<typeof middleware>[0]['apiSpec'],
    // `npm run check` has held the contract against OpenAPI's own schema, which here would take a fifth of every start.
    validateApiSpec: false,
    validateRequests: { allErrors: false, coerceTypes: false },
    validateResponses: false,
    // Ours comes before the body is read; see auth.ts.
    validateSecurity: false,
    fileUploader: false,
    ajvFormats: { mode: 'full' },
  })
  const validate = validationAmong(steps)
  const known = new Map<string, { found: Route; schema: Schema }>()
  for (const operation of contract.operations)
    known.set(operation.id, {
      found: await warm(steps, operation),
      schema: requestSchema(contract.document, operation),
    })
  return (req, res, next) => {
    const { operation, pathParams, query, stream } = res.locals
    const route = known.get(operation.id)
    if (route === undefined) throw new Error(`the validator does not know ${operation.id}`)
    const looked: Request & LookedUp = req
    looked.openapi = { ...route.found, pathParams }
    Object.defineProperty(req, 'query', {
      value: query,
      writable: true,
      configurable: true,
      enumerable: true,
    })
    const refusalOf = (error: unknown) => {
      if (!isValidatorError(error) || error.status !== 400) return error
      const sent = { params: pathParams, query, headers: req.headers, body: req.body }
      return invalidFields(fieldErrors(contract.document, route.schema, sent, error.errors))
    }
    validate(req, res, (error?: unknown) => {
      if (error !== undefined) return next(refusalOf(error))
      res.locals.input = { path: pathParams, query, headers: req.headers, body: stream ?? req.body }
      next()
    })
  }
}

/** By its name: a new version may add steps before or behind it. */
export function validationAmong<Named extends { readonly name: string }>(steps: readonly Named[]): Named {
  const found = steps.find((step) => step.name === 'requestMiddleware')
  if (found === undefined)
    throw new Error('express-openapi-validator has no step named requestMiddleware: see validator.ts')
  return found
}

/** Sends a request with a parameter that does not exist through all steps; anything but a refusal is a fault. */
async function warm(steps: readonly Middleware[], operation: Operation): Promise<Route> {
  const url = operation.path.replace(/\{\w+\}/g, 'x')
  const contentType = operation.consumes[0]
  // A stand-in with what the validator reads of a request.
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
  } as unknown as Request & LookedUp
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
