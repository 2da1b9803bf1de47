import { parseArgs } from 'node:util'
import { COMMANDS, type Command, type CommandName } from './commands.js'
import { usage } from './output/exits.js'
import { didYouMean } from './parse/did-you-mean.js'
import { OPTION_NAMES, OPTIONS, type Option, type Values } from './parse/options.js'

type Asked =
  | { readonly asks: 'help'; readonly about: readonly Command[] }
  | { readonly asks: 'version' }
  | {
      readonly asks: 'command'
      readonly command: CommandName
      readonly values: Values
      readonly operands: readonly string[]
    }

/** Throws a `Stop` that names every mistake. Help and version are given whatever else is wrong. */
export function readArgs(args: readonly string[]): Asked {
  const { values, words, mistakes } = readWords(args)
  const [first = 'serve', second = ''] = words
  if (first === 'help') return { asks: 'help', about: aboutCommands(words.slice(1)) }
  if (values.help === true) return { asks: 'help', about: aboutCommands(words) }
  if (values.version === true) return { asks: 'version' }
  const command = COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`)
  if (command === undefined) throw usage([noSuchCommand(first, second), ...mistakes])
  mistakes.push(...strangers(command, values))
  const operands = words.slice(command.name.split(' ').length)
  if (mistakes.length === 0) mistakes.push(...miscounted(command, operands))
  if (mistakes.length > 0) throw usage(mistakes, command.name)
  return { asks: 'command', command: command.name, values, operands }
}

/** Whether the command is `hook`, as far as a line with mistakes can be understood. */
export function isForHook(args: readonly string[]): boolean {
  const { words, mistakes } = readWords(args)
  const [first = ''] = words
  if (first === 'hook' || !args.includes('hook')) return first === 'hook'
  // A mistyped option that comes first may have left its value behind, which may be the word of a command.
  return !isCommandWord(first) || (mistakes.length > 0 && args[0]?.startsWith('-') === true)
}

/** Tokens as well as values, since `parseArgs` would stop at the first mistake and name its own options in messages. */
function readWords(args: readonly string[]): { values: Values; words: string[]; mistakes: string[] } {
  const words: string[] = []
  const mistakes: string[] = []
  const given = new Set<string>()
  const { values, tokens } = parseArgs({ args: [...args], options: FOR_PARSER, strict: false, tokens: true })
  let lost = -1
  for (const token of tokens) {
    if (token.kind === 'positional' && (token.index !== lost || isCommandWord(token.value)))
      words.push(token.value)
    if (token.kind !== 'option') continue
    const name = OPTION_NAMES.find((known) => known === token.name)
    // The word after a mistyped option is most likely its value, and no second mistake.
    if (name === undefined) lost = token.index + 1
    const mistake =
      name === undefined ? noSuchOption(token.rawName) : mistakeIn(OPTIONS[name], token, given.has(name))
    if (mistake !== undefined) mistakes.push(mistake)
    given.add(token.name)
  }
  // Where there is no mistake, each is of the kind that the table gives it.
  return { values: { ...values } as Values, words, mistakes }
}

const FOR_PARSER = Object.fromEntries(
  OPTION_NAMES.map((name) => {
    const { value, many, short }: Option = OPTIONS[name]
    const type = value === undefined ? ('boolean' as const) : ('string' as const)
    return [name, { type, multiple: many === true, ...(short !== undefined && { short }) }]
  }),
)

interface Given {
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function mistakeIn(option: Option, { rawName, value, inlineValue }: Given, isAgain: boolean) {
  if (option.value === undefined) return inlineValue ? `${rawName} takes no value.` : undefined
  if (value === undefined || (!inlineValue && /^-./.test(value)))
    return `${rawName} needs a value: ${rawName} <${option.value}>.`
  return isAgain && option.many !== true ? `${rawName} was given twice.` : undefined
}

function aboutCommands([first = '', second = '']: readonly string[]): readonly Command[] {
  const exact = COMMANDS.filter(({ name }) => name === first || name === `${first} ${second}`)
  return exact.length > 0 ? exact : commandsUnder(first)
}

/** The words that stand before others: `key`. */
function commandsUnder(word: string): readonly Command[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `))
}

function noSuchCommand(first: string, second: string): string {
  const under = commandsUnder(first)
  if (under.length > 0) {
    const names = under.map(({ name }) => name).join(', ')
    return `${second === '' ? `${first} needs a second word` : `There is no command ${JSON.stringify(`${first} ${second}`)}`}: ${names}.`
  }
  return `There is no command ${JSON.stringify(first)}.${meant(first, FIRST_WORDS)}`
}

const FIRST_WORDS = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? ''))]

function isCommandWord(word: string): boolean {
  return FIRST_WORDS.includes(word)
}

function noSuchOption(raw: string): string {
  return `There is no option ${raw}.${raw.startsWith('--') ? meant(raw.slice(2), OPTION_NAMES, '--') : ''}`
}

function meant(word: string, known: readonly string[], before = ''): string {
  const close = didYouMean(word, known)
  return close === undefined ? '' : ` Did you mean ${before}${close}?`
}

function strangers(command: Command, values: Values): string[] {
  return OPTION_NAMES.filter((name) => values[name] !== undefined && !command.options.includes(name)).map(
    (name) => {
      const owners = COMMANDS.filter((it: Command) => it.options.includes(name)).map((it) => it.name)
      return `--${name} means nothing to ${command.name}; it goes with ${owners.join(', ')}.`
    },
  )
}

function miscounted({ name, operands = [] }: Command, given: readonly string[]): string[] {
  const missing = operands.filter((operand, i) => !operand.startsWith('[') && given[i] === undefined)
  const extra = given.slice(operands.length).map((word) => JSON.stringify(word))
  return [
    ...missing.map((operand) => `${name} needs a ${operand}.`),
    ...(extra.length === 0 ? [] : [`${extra.join(' ')} means nothing here.`]),
  ]
}
