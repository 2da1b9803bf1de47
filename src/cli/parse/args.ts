import { parseArgs } from 'node:util'
import { Stop } from '../output/exits.js'
import type { Command } from './command.js'
import { COMMANDS, type CommandName, commandsUnder } from './commands.js'
import { didYouMean } from './did-you-mean.js'
import { OPTION_NAMES, OPTIONS, type Option, type OptionName, optionNamed, type Values } from './options.js'

/** The command line, read. */
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
  if (values['help'] === true) return { asks: 'help', about: aboutCommands(words) }
  if (values['version'] === true) return { asks: 'version' }
  const command = COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`)
  if (command === undefined) throw usage([noSuchCommand(first, second), ...mistakes], 'loregraph --help')
  mistakes.push(...strangers(command, values))
  const operands = words.slice(command.name.split(' ').length)
  if (mistakes.length === 0) mistakes.push(...miscounted(command, operands))
  if (mistakes.length > 0) throw usage(mistakes, `loregraph ${command.name} --help`)
  return { asks: 'command', command: command.name, values, operands }
}

/** Whether the command is `hook`, as far as a line with mistakes can be understood. */
export function isForHook(args: readonly string[]): boolean {
  const { words, mistakes } = readWords(args)
  const [first = ''] = words
  return first === 'hook' || (args.includes('hook') && (mistakes.length > 0 || !isCommandWord(first)))
}

/** One sentence or several, and where to read on. */
export function usage(mistakes: readonly string[], help: string): Stop {
  return new Stop('usage', `${mistakes.join('\n')}${mistakes.length === 1 ? ' ' : '\n'}See ${help}.`)
}

type Given = { [Name in OptionName]?: string | string[] | true }

/** Tokens rather than values, since `parseArgs` stops at the first mistake and names its own options in messages. */
function readWords(args: readonly string[]): { values: Values; words: string[]; mistakes: string[] } {
  const given: Given = {}
  const words: string[] = []
  const mistakes: string[] = []
  const { tokens } = parseArgs({ args: [...args], options: forParser(), strict: false, tokens: true })
  let lost = -1
  for (const token of tokens) {
    if (token.kind === 'positional' && (token.index !== lost || isCommandWord(token.value)))
      words.push(token.value)
    if (token.kind !== 'option') continue
    // The word after a mistyped option is most likely its value, and no second mistake.
    if (optionNamed(token.name) === undefined) lost = token.index + 1
    const mistake = take(given, token.name, token.rawName, token.value, token.inlineValue === true)
    if (mistake !== undefined) mistakes.push(mistake)
  }
  // Each was put in by the kind that the table gives it, which the compiler cannot follow through the loop.
  return { values: given as Values, words, mistakes }
}

/** Notes one option as given, or returns what is wrong with it. */
function take(given: Given, name: string, raw: string, value: string | undefined, inline: boolean) {
  const known = optionNamed(name)
  if (known === undefined) return noSuchOption(raw)
  const { option } = known
  if (option.value === undefined) {
    if (inline) return `${raw} takes no value.`
    given[known.name] = true
    return undefined
  }
  if (value === undefined || (!inline && /^-./.test(value)))
    return `${raw} needs a value: ${raw} <${option.value}>.`
  const before = given[known.name]
  if (option.many === true) given[known.name] = [...(Array.isArray(before) ? before : []), value]
  else if (before === undefined) given[known.name] = value
  else return `${raw} was given twice.`
  return undefined
}

function forParser() {
  return Object.fromEntries(
    OPTION_NAMES.map((name) => {
      const option: Option = OPTIONS[name]
      const type = option.value === undefined ? ('boolean' as const) : ('string' as const)
      return [name, option.short === undefined ? { type } : { type, short: option.short }]
    }),
  )
}

function aboutCommands([first = '', second = '']: readonly string[]): readonly Command[] {
  const exact = COMMANDS.filter(({ name }) => name === first || name === `${first} ${second}`)
  return exact.length > 0 ? exact : commandsUnder(first)
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
  const mistakes: string[] = []
  for (const name of OPTION_NAMES) {
    if (values[name] === undefined || command.options.includes(name)) continue
    const owners = COMMANDS.filter(({ options }) => options.some((option) => option === name))
    mistakes.push(
      `--${name} means nothing to ${command.name}; it goes with ${owners.map((it) => it.name).join(', ')}.`,
    )
  }
  return mistakes
}

function miscounted({ name, operands }: Command, given: readonly string[]): string[] {
  const missing = operands.filter((operand, i) => operand.optional !== true && given[i] === undefined)
  const extra = given.slice(operands.length)
  return [
    ...missing.map((operand) => `${name} needs a ${operand.name}.`),
    ...(extra.length === 0
      ? []
      : [`${extra.map((word) => JSON.stringify(word)).join(' ')} means nothing here.`]),
  ]
}
