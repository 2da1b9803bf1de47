import { errorCode, Failure } from '../../../domain/failure.js'
import { EXIT_BROKEN, OpenError } from '../../../store/open-error.js'

/** A file is damaged. */
export class Broken extends OpenError {
  readonly file: string
  readonly offset: number
  readonly why: string

  constructor(file: string, offset: number, why: string) {
    super(
      `${file} is damaged at byte ${offset}: ${why}. Nothing was changed. Run "loregraph verify" to see what is affected, "loregraph repair" to see what can be saved.`,
      EXIT_BROKEN,
    )
    this.name = 'Broken'
    this.file = file
    this.offset = offset
    this.why = why
  }
}

/** Another version of the program wrote the file, which is not damaged. */
export class OtherVersion extends Broken {
  constructor(file: string, format: number, known: number) {
    const isNewer = format > known
    const why = isNewer
      ? `its format is ${format} and this program knows ${known}: a newer Loregraph wrote it`
      : 'Loregraph 0.1 wrote it'
    super(file, 0, why)
    this.name = 'OtherVersion'
    const what = isNewer
      ? 'Open it with that version; if there was none, "loregraph verify" says what is damaged'
      : 'Open the data folder with Loregraph 0.2 first'
    this.message = `${file} cannot be read: ${why}. ${what}. Nothing was changed.`
  }
}

/** This process no longer knows the state of the disk, so it must acknowledge nothing more. */
export class Fatal extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Fatal'
  }
}

export function isFatal(error: unknown): boolean {
  return error instanceof Fatal || (error instanceof Failure && error.cause instanceof Fatal)
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const READ_ONLY = new Set(['EROFS', 'EACCES', 'EPERM'])

export function isFull(error: unknown): boolean {
  return FULL.has(errorCode(error) ?? '')
}

export function isReadOnly(error: unknown): boolean {
  return READ_ONLY.has(errorCode(error) ?? '')
}

/** The failure that a caller gets for an error of the disk. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (isFull(error))
    return new Failure('storage_full', 'The disk is full; nothing was changed.', { cause: error })
  return new Failure('storage_unavailable', 'The store cannot be used at the moment; nothing was changed.', {
    cause: error,
  })
}
