import { type ContractDocument, type MaybeRef, resolve, type Schema } from '../../contract/contract.js'
import type { FieldError } from '../../domain/failure.js'
import { pointerStep, pointerSteps } from '../../domain/pointer.js'
import { quote } from '../../domain/quote.js'
import { mistakeInText, schemaMessage } from './schema-messages.js'

/** One mistake, as the validator reports it. */
export interface Finding {
  readonly path: string
  readonly message: string
  readonly errorCode?: string
}

/** The request, with the validator's names for its parts. */
interface RequestParts {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly body?: unknown
}

interface Field {
  readonly pointer: string
  readonly schema: Schema | undefined
  readonly value: unknown
}

/** Longer field names are quoted in the message instead of the pointer. */
const MAX_STEP_LENGTH = 256

/**
 * Gives the validator's findings JSON pointers (RFC 6901) and messages that say what the field must be. Those
 * of the validator repeat the pattern, omit the offending key, and do not escape unknown names.
 */
export function fieldErrors(
  document: ContractDocument,
  schema: Schema,
  parts: RequestParts,
  findings: readonly Finding[],
): FieldError[] {
  const root: Field = { pointer: '', schema, value: parts }
  const errors = new Map<string, FieldError>()
  for (const finding of findings) {
    const error = explainOne(document, root, finding)
    const path = error.path.replace(/^\/params\b/, '/path')
    // The validator reports an invalid key twice: for the key, and for the object that holds it.
    errors.set(`${path} ${error.message}`, { path, message: error.message })
  }
  return [...errors.values()]
}

function explainOne(document: ContractDocument, root: Field, finding: Finding): FieldError {
  const { path } = finding
  const keyword = finding.errorCode?.split('.', 1)[0] ?? ''
  if (keyword === 'additionalProperties') return unknownField(document, root, path)
  const { schema, value } = pointerSteps(path).reduce((at, step) => child(document, at, step), root)
  const message =
    badKey(document, schema, value) ??
    (keyword === 'required' ? 'is required' : schemaMessage(keyword, schema))
  return { path, message: message ?? finding.message }
}

/** Finds the field by walking the schema, since the validator does not escape its name in the path. */
function unknownField(document: ContractDocument, root: Field, path: string): FieldError {
  // The validator reports no path for a field with an empty name.
  if (path === '') return unknown(parentOfNameless(document, root)?.pointer ?? '/body', '')
  let at = root
  let rest = path.slice(1)
  while (!isUnknown(at, rest)) {
    const slash = rest.indexOf('/')
    if (slash < 0) return unknown(at.pointer, rest)
    const [step = ''] = pointerSteps(`/${rest.slice(0, slash)}`)
    at = child(document, at, step)
    rest = rest.slice(slash + 1)
  }
  return unknown(at.pointer, rest)
}

function parentOfNameless(document: ContractDocument, field: Field): Field | undefined {
  if (isUnknown(field, '')) return field
  if (field.schema === undefined || !isObject(field.value)) return undefined
  for (const step of Object.keys(field.value)) {
    const found = parentOfNameless(document, child(document, field, step))
    if (found !== undefined) return found
  }
  return undefined
}

function isUnknown({ schema, value }: Field, name: string): boolean {
  return (
    schema?.additionalProperties === false &&
    isObject(value) &&
    Object.hasOwn(value, name) &&
    !propertyOf(schema, name)
  )
}

function unknown(parent: string, name: string): FieldError {
  const advice = 'is not a field here; check its spelling or leave it out'
  if (name.length <= MAX_STEP_LENGTH) return { path: `${parent}/${pointerStep(name)}`, message: advice }
  return { path: parent, message: `has the field ${quote(name)}, which ${advice}` }
}

function badKey(document: ContractDocument, schema: Schema | undefined, value: unknown): string | undefined {
  if (schema?.propertyNames === undefined || !isObject(value)) return undefined
  const names = resolve(document, schema.propertyNames)
  for (const key of Object.keys(value)) {
    const mistake = mistakeInText(names, key)
    if (mistake !== undefined) return `has the key ${quote(key)}; a key ${schemaMessage(mistake, names)}`
  }
  return undefined
}

function child(document: ContractDocument, { pointer, schema, value }: Field, step: string): Field {
  const part = schema && (propertyOf(schema, step) ?? schema.items ?? additional(schema))
  return {
    pointer: `${pointer}/${pointerStep(step)}`,
    schema: part && resolve(document, part),
    value: isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined,
  }
}

function propertyOf({ properties }: Schema, name: string): MaybeRef<Schema> | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
}

function additional({ additionalProperties }: Schema): MaybeRef<Schema> | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
