import { Failure } from '../failure.js'

/** What is wrong with a line, or with a place in it: a sentence that names the line, and a pointer to the place. */
export function invalidLine(line: number, place: string, message: string, cause?: unknown): Failure {
  const where = place === '' ? `Line ${line}` : `Line ${line}: ${place}`
  const detail = /^[A-Z]/.test(message) ? `${where}: ${message}` : `${where} ${message}.`
  return new Failure('invalid_import', `${detail} Nothing was imported.`, {
    errors: [{ path: `/body/${line}${place}`, message }],
    ...(cause !== undefined && { cause }),
  })
}

/** Another failure, found in a line whose fields it knows as those below `/body`. */
export function failureInLine(line: number, failure: Failure): Failure {
  const [first] = failure.errors
  const place = first?.path.replace(/^\/body/, '') ?? ''
  return invalidLine(line, place, first?.message ?? failure.message, failure)
}

const PLACE = /^\/body\/(\d+)(.*)$/s

/** The same for what a store found to be wrong with the events as a whole, at a place that `lineOf` gave it. */
export function namingLine(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'invalid_import' || error.message.startsWith('Line '))
    return error
  const [first] = error.errors
  const [, line, place = ''] = PLACE.exec(first?.path ?? '') ?? []
  if (first === undefined || line === undefined) return error
  const sentence = `${first.message.charAt(0).toUpperCase()}${first.message.slice(1)}.`
  return invalidLine(Number(line), place, sentence, error)
}
