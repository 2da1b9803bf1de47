import { type ContractDocument, resolve } from '../../contract/contract.js'

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
