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
