import { parse } from 'yaml'
import type { Operation } from '../src/contract/contract.js'

/** A request of the operation made of the contract's own examples: a path and, if it takes one, a body. */
export function sampleRequest(yaml: string, operation: Operation): { path: string; body: unknown } {
  const root: unknown = parse(yaml)
  const item = at(root, 'paths', operation.path)
  const own = at(item, operation.method.toLowerCase())
  const parameters = [...list(at(item, 'parameters')), ...list(at(own, 'parameters'))].map((it) =>
    resolved(root, it),
  )
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = at(
      parameters.find((parameter) => at(parameter, 'name') === name),
      'example',
    )
    return encodeURIComponent(String(example ?? 'x'))
  })
  const media = at(resolved(root, at(own, 'requestBody')), 'content', operation.consumes[0] ?? '')
  const named = Object.values(Object(at(media, 'examples')))[0]
  return { path, body: at(media, 'example') ?? at(named, 'value') }
}

function at(value: unknown, ...keys: readonly string[]): unknown {
  let here = value
  for (const key of keys)
    here =
      typeof here === 'object' && here !== null
        ? Object.getOwnPropertyDescriptor(here, key)?.value
        : undefined
  return here
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function resolved(root: unknown, value: unknown): unknown {
  const reference = at(value, '$ref')
  return reference === undefined ? value : resolved(root, at(root, ...String(reference).split('/').slice(1)))
}
