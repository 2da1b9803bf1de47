/**
 * Types only: what a handler is given and what it may answer, for every operation of the contract.
 *
 * The technique is recursion over types: conditional types with `infer` take the generated ones apart, and mapped types
 * with key remapping (`as`) put them together again. Two things are added to what the generator wrote. First, defaults:
 * the generated table lists the places that the validator fills in, as paths such as `query/page` or
 * `body/events/*\/source`; `Filled` walks down both the type and the paths, and makes a field required where a path
 * ends. Second, streams: content of the media types `Stream` and `Events` is an `AsyncIterable`, not a text. `[T] extends [never]` is
 * in brackets because a bare conditional type distributes over a union, and over `never`, the empty one, to `never`.
 */
import type { Key, Reach } from '../domain/keys.js'
import type { Json } from '../domain/model.js'
import type { operations } from './generated/api.js'
import type { operationTable } from './generated/server.js'

export type OperationId = keyof operations

/** One handler for every operation of the contract: no fewer, no more. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }

/** No express, no status numbers beyond the contract's: a handler that cannot answer throws a `Failure`. */
export type Handler<Id extends OperationId> = (input: Input<Id>, caller: Caller) => Promise<Reply<Id>>

/** A request that has passed the validator: decoded, typed, defaults filled in. Header names are in lower case. */
export interface Input<Id extends OperationId> {
  readonly path: Filled<Part<Id, 'path'>, never>
  readonly query: Filled<Part<Id, 'query'>, Under<Default<Id>, 'query'>>
  readonly headers: LowerCased<Part<Id, 'header'>>
  readonly body: Filled<RequestBody<Id>, Under<Default<Id>, 'body'>>
}

/** Any 2xx answer that the contract gives the operation. */
export type Reply<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses'] & SuccessStatus]: {
    readonly status: Status
    readonly body: DeepReadonly<ResponseBody<operations[Id]['responses'][Status]>>
    readonly headers?: Readonly<Record<string, string>>
    /** Of a page: the moment that the links to the other pages keep to. */
    readonly asOf?: string
    /** Of a page: the time in the world that they keep to, where that is not the one of `asOf`. */
    readonly validAt?: string
  }
}[keyof operations[Id]['responses'] & SuccessStatus]

/** The principal of a request, and the id under which the log has it. */
export interface Caller {
  readonly requestId: string
  readonly principal: Principal
}

/** A key, or the root secret, which has no name, as it was found to be for this request. */
export interface Principal extends Reach, Partial<Pick<Key, 'name' | 'makers' | 'createdAt'>> {
  readonly keyId: string
}

/** Bodies of this media type go in and out a piece at a time. */
type Stream = 'application/x-ndjson'
/** Answers of this one go out for as long as somebody listens. */
type Events = 'text/event-stream'
type SuccessStatus = 200 | 201 | 202 | 204
type Nothing = Record<never, never>

type Part<Id extends OperationId, Name extends 'path' | 'query' | 'header'> = [
  Exclude<operations[Id]['parameters'][Name], undefined>,
] extends [never]
  ? Nothing
  : Exclude<operations[Id]['parameters'][Name], undefined>

type RequestBody<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: infer Content }
}
  ? Content extends { [Type in Stream]: unknown }
    ? AsyncIterable<Uint8Array>
    : Content[keyof Content]
  : undefined

type ResponseBody<Response> = Response extends { content: infer Content }
  ? [keyof Content] extends [never]
    ? undefined
    : Content extends { [Type in Stream]: unknown } | { [Type in Events]: unknown }
      ? AsyncIterable<string>
      : Content[keyof Content]
  : undefined

type Default<Id extends OperationId> = (typeof operationTable)[Id]['defaults'][number]

/** The places below `Name`, e.g. `page` for `query/page` below `query`. */
type Under<Place extends string, Name extends string> = Place extends `${Name}/${infer Rest}` ? Rest : never

/** `T` once defaults are filled in at `Place`; where the contract leaves the type open, it is JSON. */
type Filled<T, Place extends string> = unknown extends T
  ? Json
  : T extends AsyncIterable<unknown>
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Filled<Item, Under<Place, '*'>>[]
      : T extends object
        ? {
            readonly [Key in keyof T as Key extends Place ? never : Key]: Filled<
              T[Key],
              Under<Place, `${Key & string}`>
            >
          } & {
            readonly [Key in keyof T as Key extends Place ? Key : never]-?: Filled<
              Exclude<T[Key], undefined>,
              Under<Place, `${Key & string}`>
            >
          }
        : T

type LowerCased<T> = { readonly [Key in keyof T as Lowercase<Key & string>]: T[Key] }

type DeepReadonly<T> =
  T extends AsyncIterable<unknown>
    ? T
    : T extends object
      ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
      : T

/** The replies of handlers, e.g. `return ok({ contexts, ...envelope(found) })`. */

export function ok<Body>(body: Body): { readonly status: 200; readonly body: Body } {
  return { status: 200, body }
}

export function created<Body>(body: Body): { readonly status: 201; readonly body: Body } {
  return { status: 201, body }
}

export function noContent(): { readonly status: 204; readonly body: undefined } {
  return { status: 204, body: undefined }
}

/** Whether the body of a reply comes in pieces. */
export function isStream(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}
