import { Stop } from '../output/exits.js'

/** One sentence or several about the command line, and where to read on. */
export function usage(mistakes: readonly string[], command = '', options?: ErrorOptions): Stop {
  const help = ['loregraph', command, '--help'].filter((word) => word !== '').join(' ')
  const gap = mistakes.length === 1 ? ' ' : '\n'
  return new Stop('usage', `${mistakes.join('\n')}${gap}See ${help}.`, options)
}
