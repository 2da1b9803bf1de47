import { contextId, foldContextId, foldName, foldType } from '../domain/names.js'
import { pointerStep } from '../domain/pointer.js'
import type { Scope } from '../domain/search/knowledge.js'

interface WireScope {
  readonly context_types?: Readonly<Record<string, readonly string[]>>
  readonly context_ids?: readonly string[]
}

/** The contexts a request is limited to; undefined when it names none. An empty array of names is the whole type. */
export function toScope({ context_types = {}, context_ids = [] }: WireScope): Scope | undefined {
  const types: string[] = []
  const contextIds = context_ids.map((id, i) => foldContextId(id, `/body/context_ids/${i}`))
  for (const [rawType, names] of Object.entries(context_types)) {
    const path = `/body/context_types/${pointerStep(rawType)}`
    const type = foldType(rawType, path)
    if (names.length === 0) types.push(type)
    names.forEach((name, i) => {
      contextIds.push(contextId(type, foldName(name, `${path}/${i}`)))
    })
  }
  return types.length + contextIds.length === 0 ? undefined : { types, contextIds }
}
