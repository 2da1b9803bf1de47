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

/** The request, by the validator's names for its parts. */
interface Sent {
  readonly params?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly body?: unknown
}

interface Place {
  readonly pointer: string
  readonly schema: Schema | undefined
  readonly value: unknown
}

const LONGEST_STEP = 256

/**
 * The validator's findings with pointers that can be followed (RFC 6901) and messages that say what the field must be:
 * its own repeat the pattern, keep the offending key to themselves and do not escape the name of an unknown field.
 */
export function fieldErrors(
  document: ContractDocument,
  schema: Schema,
  sent: Sent,
  findings: readonly Finding[],
): FieldError[] {
  const root: Place = { pointer: '', schema, value: sent }
  const errors = new Map<string, FieldError>()
  for (const finding of findings) {
    const error = explainOne(document, root, finding)
    const path = error.path.replace(/^\/params\b/, '/path')
    // A key that is refused is found twice: by its mistake, and by its place.
    errors.set(`${path} ${error.message}`, { path, message: error.message })
  }
  return [...errors.values()]
}

function explainOne(document: ContractDocument, root: Place, finding: Finding): FieldError {
  const { path } = finding
  const keyword = finding.errorCode?.split('.', 1)[0] ?? ''
  if (keyword === 'additionalProperties') return unknownField(document, root, path)
  const { schema, value } = pointerSteps(path).reduce((at, step) => child(document, at, step), root)
  const message =
    badKey(document, schema, value) ??
    (keyword === 'required' ? 'is required' : schemaMessage(keyword, schema))
  return { path, message: message ?? finding.message }
}

/** The validator puts the name of the field behind a slash as it is, whatever is in it; so it is looked for. */
function unknownField(document: ContractDocument, root: Place, path: string): FieldError {
  // Of a field without a name it says nothing at all.
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

function parentOfNameless(document: ContractDocument, place: Place): Place | undefined {
  if (isUnknown(place, '')) return place
  if (place.schema === undefined || !isObject(place.value)) return undefined
  for (const step of Object.keys(place.value)) {
    const found = parentOfNameless(document, child(document, place, step))
    if (found !== undefined) return found
  }
  return undefined
}

function isUnknown({ schema, value }: Place, name: string): boolean {
  return (
    schema?.additionalProperties === false &&
    isObject(value) &&
    Object.hasOwn(value, name) &&
    !own(schema, name)
  )
}

function unknown(parent: string, name: string): FieldError {
  const advice = 'is not a field here; check its spelling or leave it out'
  if (name.length <= LONGEST_STEP) return { path: `${parent}/${pointerStep(name)}`, message: advice }
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

function child(document: ContractDocument, { pointer, schema, value }: Place, step: string): Place {
  const part = schema && (own(schema, step) ?? schema.items ?? additional(schema))
  return {
    pointer: `${pointer}/${pointerStep(step)}`,
    schema: part && resolve(document, part),
    value: isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined,
  }
}

function own({ properties }: Schema, name: string): MaybeRef<Schema> | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
}

function additional({ additionalProperties }: Schema): MaybeRef<Schema> | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
