import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser'

export type Path = readonly (string | number)[]

interface Splice {
  readonly at: number
  readonly remove?: number
  readonly add?: string
}

/*
 * Edits of JSON with comments. Every byte that is not a part of an entry, or a comma that it needs, stays as it is: what a
 * person has laid out by hand is not laid out again.
 */

/** The mistake in a text that is to be an object; undefined if there is none. A blank text will do. */
export function jsonMistake(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first !== undefined)
    return `is not JSON, from line ${text.slice(0, first.offset).split('\n').length} on`
  return root?.type === 'object' ? undefined : 'does not hold a JSON object'
}

/** The value at a path; undefined if there is none. */
export function valueAt(text: string, path: Path): unknown {
  const node = nodeAt(text, path)
  return node && getNodeValue(node)
}

/** With a member, or with one more item if the path leads to a list; the objects around it are made if they are missing. */
export function withEntry(text: string, path: Path, value: unknown): string {
  if (text.trim() === '') {
    const { write, eol } = layoutOf(text)
    return `${write(nested(path, value), '')}${eol}`
  }
  const list = nodeAt(text, path)
  if (list?.type === 'array') return insert(text, list, '', value)
  let depth = path.length - 1
  while (depth > 0 && nodeAt(text, path.slice(0, depth)) === undefined) depth--
  const holder = nodeAt(text, path.slice(0, depth))
  if (holder?.type !== 'object') throw new TypeError(`${path.slice(0, depth).join('.')} is not an object`)
  return insert(text, holder, `${JSON.stringify(path[depth])}: `, nested(path.slice(depth + 1), value))
}

/** Without the member or item at a path, and the comma that goes with it. */
export function withoutEntry(text: string, path: Path): string {
  const value = nodeAt(text, path)
  if (value === undefined) return text
  const entry = value.parent?.type === 'property' ? value.parent : value
  const siblings = entry.parent?.children ?? []
  const before = siblings[siblings.indexOf(entry) - 1]
  const end = endOf(entry)
  const blank = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, entry.offset))?.[0].length ?? 0
  const commaAfter = commaFrom(text, end)
  const comma = commaAfter ?? (before && commaFrom(text, endOf(before)))
  return spliced(text, [
    { at: entry.offset - blank, remove: end - entry.offset + blank },
    ...(comma === undefined ? [] : [{ at: comma, remove: 1 }]),
  ])
}

interface Layout {
  readonly eol: string
  readonly unit: string
  write(value: unknown, indent: string): string
}

/** As the text is laid out already. */
function layoutOf(text: string): Layout {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return {
    eol,
    unit,
    write: (value, indent) => JSON.stringify(value, null, unit).split('\n').join(`${eol}${indent}`),
  }
}

/** `['a', 'b']` around 1 is `{ a: { b: 1 } }`. */
function nested(path: Path, value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value)
}

/** Adds an entry behind the last one; `name` is what stands before its value. */
function insert(text: string, holder: Node, name: string, value: unknown): string {
  const layout = layoutOf(text)
  const { eol } = layout
  const end = endOf(holder)
  const indent = memberIndent(text, holder, layout)
  const entry = `${eol}${indent}${name}${layout.write(value, indent)}`
  const last = holder.children?.at(-1)
  if (last === undefined) {
    const at = holder.offset + 1
    // What is inside already, white space or comments, stays below.
    const closing = text.slice(at, end).includes('\n') ? '' : `${eol}${indentOf(text, holder.offset)}`
    return spliced(text, [{ at, add: entry + closing }])
  }
  const isOneLine = !text.slice(holder.offset, end).includes('\n')
  const comma = commaFrom(text, endOf(last))
  const from = comma === undefined ? endOf(last) : comma + 1
  // A comment at the end of the line belongs to the entry before.
  const rest = COMMENT_TO_LINE_END.exec(text.slice(from))?.[0] ?? ''
  return spliced(text, [
    ...(comma === undefined ? [{ at: endOf(last), add: ',' }] : []),
    { at: from + rest.length, add: isOneLine ? ` ${name}${JSON.stringify(value)}` : entry },
  ])
}

const COMMENT_TO_LINE_END = /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/[ \t]*)?(?=\r?\n)/

function memberIndent(text: string, holder: Node, { unit }: Layout): string {
  const last = holder.children?.at(-1)
  const around = indentOf(text, holder.offset)
  if (last === undefined) return around + unit
  const own = indentOf(text, last.offset)
  return own.length > around.length ? own : around + unit
}

/** The white space that begins the line of a place. */
function indentOf(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(line, offset))?.[0] ?? ''
}

function nodeAt(text: string, path: Path): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true })
  return root && findNodeAtLocation(root, [...path])
}

/** The place of the comma that comes next, behind white space and comments. */
function commaFrom(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  const at = scanner.getTokenOffset()
  return text[at] === ',' ? at : undefined
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

function spliced(text: string, splices: readonly Splice[]): string {
  // From the end, so that places keep their meaning; what is added at one place is added in the order given.
  return [...splices]
    .reverse()
    .sort((a, b) => b.at - a.at)
    .reduce((now, { at, remove = 0, add = '' }) => now.slice(0, at) + add + now.slice(at + remove), text)
}
