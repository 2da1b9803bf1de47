/** Clients in Go send `null` where they give a tool no arguments, which the protocol does not know. */
export function withoutNullArguments(message: unknown): unknown {
  if (!has(message, 'params') || !has(message.params, 'arguments') || message.params.arguments !== null)
    return message
  const { arguments: _, ...params } = message.params
  return { ...message, params }
}

function has<K extends string>(value: unknown, name: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && name in value
}
