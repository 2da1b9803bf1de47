/** An error that ended the program, as a sentence; the system's own code goes with it. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, syscall, path, address, hostname, port }: SystemError = error
  if (code === undefined) return error.message
  if (code === 'EADDRINUSE')
    return `Another program is listening on ${address}:${port}. Stop it, or choose another port with --port. (${code})`
  if (syscall === 'listen' && code === 'EACCES')
    return `This user may not listen on port ${port}. Choose one above 1023 with --port. (${code})`
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return `${hostname ?? address} is not an address of this machine. Choose another with --host. (${code})`
  if (path !== undefined && NOT_ALLOWED.has(code))
    return `The data folder cannot be used: ${reasonOf(code)} at ${path}. Give it to this user with chown, or run as the user that it belongs to. (${code})`
  if (path !== undefined)
    return `The data folder cannot be used: ${reasonOf(code)} at ${path}. Choose another with --data. (${code})`
  return error.message
}

interface SystemError extends Error {
  readonly code?: string
  readonly syscall?: string
  readonly path?: string
  readonly address?: string
  readonly hostname?: string
  readonly port?: number
}

/** Another folder would only start empty. */
const NOT_ALLOWED = new Set(['EACCES', 'EPERM'])

function reasonOf(code: string): string {
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'this user may not read or write',
    EPERM: 'this user may not read or write',
    EROFS: 'it is on a file system that is read-only,',
    ENOENT: 'something is missing',
    ENOTDIR: 'there is a file where a folder is needed,',
    EEXIST: 'there is a file where a folder is needed,',
    EISDIR: 'there is a folder where a file is needed,',
    ENAMETOOLONG: 'the name is too long',
    ELOOP: 'links lead in a circle',
    EMFILE: 'too many files are open',
    EIO: 'the disk failed',
  }
  return reasons[code] ?? 'the system refused'
}
