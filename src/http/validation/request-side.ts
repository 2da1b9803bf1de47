import { type ContractDocument, resolve } from '../../contract/contract.js'

/** What the validator asks of an answer: that there is one. */
const ANY_ANSWER = { default: { description: 'Any answer.' } }

/**
 * The contract as far as requests go, every reference resolved. The validator goes through the whole of what it is given
 * twice for each operation, and nine tenths of that are answers.
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
