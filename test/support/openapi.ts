import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { parse } from 'yaml'

/**
 * The contract as data, for tests that are made from it. It is read and typed here again, though `src/contract` does so
 * too: tests that leaned on that code would share its mistakes.
 */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly Json[]
  readonly default?: Json
  readonly format?: string
  readonly pattern?: string
  readonly 'x-hint'?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  /** Of a text that is a line at a time: the schema of a line. */
  readonly contentSchema?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly minProperties?: number
  readonly maxProperties?: number
}

export interface Media {
  readonly schema?: Schema
  readonly example?: Json
  readonly examples?: Readonly<Record<string, { readonly value: Json }>>
}
export type Content = Readonly<Record<string, Media>>

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly allowReserved?: boolean
  readonly schema: Schema
  readonly example?: Json
}

export interface Link {
  readonly $ref?: string
  readonly operationId: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly requestBody?: Json
}

export interface Response {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Content
  readonly links?: Readonly<Record<string, Link>>
}

export interface Header {
  readonly $ref?: string
  readonly schema: Schema
  readonly example?: Json
}

export interface OperationObject {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly 'x-required-scope'?: string
  readonly 'x-max-body-bytes'?: number
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly $ref?: string; readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

export interface OpenApi {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** One operation with its references resolved one level down, as tests want it. */
export interface Described {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly object: OperationObject
  readonly parameters: readonly Parameter[]
  /** The one media type of its request body, with its schema and examples. */
  readonly body: { readonly type: string; readonly media: Media } | undefined
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

let document: OpenApi | undefined

/** Parsed once for all the files that a worker runs: half a second each time. */
export function readOpenApi(): OpenApi {
  const file = new URL('../../openapi/openapi.yaml', import.meta.url)
  // A boundary: spec.test.ts and the linter hold the contract to the shape that is read here.
  document ??= parse(readFileSync(file, 'utf8')) as OpenApi
  return document
}

export function operationsOf(document: OpenApi): Described[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const object = item[method] as OperationObject
      const shared = (item['parameters'] ?? []) as readonly Parameter[]
      const parameters = [...shared, ...(object.parameters ?? [])].map((it) => deref(document, it))
      const [type, media] = Object.entries(
        object.requestBody ? deref(document, object.requestBody).content : {},
      )[0] ?? [undefined, {}]
      const body = type === undefined ? undefined : { type, media }
      return { id: object.operationId ?? '', method: method.toUpperCase(), path, object, parameters, body }
    }),
  )
}

/** Follows a reference within the document; what is no reference is given back as it is. */
export function deref<T extends { readonly $ref?: string }>(document: OpenApi, value: T): T {
  if (value.$ref === undefined) return value
  const target = value.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((here, key) => (here as Record<string, unknown> | undefined)?.[key], document)
  if (target === undefined) throw new Error(`The contract has no ${value.$ref}.`)
  return deref(document, target as T)
}

export function examplesOf({ example, examples }: Media): Map<string, Json> {
  const named = Object.entries(examples ?? {}).map(([name, { value }]) => [name, value] as const)
  return new Map([...(example === undefined ? [] : [['example', example] as const]), ...named])
}

/** Compiles schemas of the contract; references lead into the document they were taken from. */
export function createSchemas(document: OpenApi): (schema: Schema) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, 'contract')
  const compiled = new Map<string, ValidateFunction>()
  return (schema) => {
    const text = JSON.stringify(schema)
    const validate = compiled.get(text) ?? ajv.compile(absolute(text))
    compiled.set(text, validate)
    return validate
  }
}

function absolute(schema: string): Schema {
  return JSON.parse(schema, (key, item: unknown) =>
    key === '$ref' && typeof item === 'string' ? `contract${item}` : item,
  )
}

/** The document with every object closed that lists its properties: what is not documented is then an error. */
export function closed(document: OpenApi): OpenApi {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    isObject(value) && isObject(value['properties']) && value['type'] === 'object'
      ? { additionalProperties: false, ...value }
      : value,
  )
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
