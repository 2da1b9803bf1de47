import {
  applyEdits,
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
} from 'jsonc-parser'

export type Path = readonly (string | number)[]

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

export function valueAt(text: string, path: Path): unknown {
  const node = nodeAt(text, path)
  return node && getNodeValue(node)
}

/** With a member, or with one more item if the path leads to a list; the objects around it are made if they are missing. */
export function withEntry(text: string, path: Path, value: unknown): string {
  const list = nodeAt(text, path)
  if (list?.type === 'array') return insert(text, list, '', value)
  let depth = path.length - 1
  while (depth > 0 && nodeAt(text, path.slice(0, depth)) === undefined) depth--
  // `['a', 'b']` around 1 is `{ a: { b: 1 } }`.
  const nested = path.slice(depth + 1).reduceRight((inner, name) => ({ [name]: inner }), value)
  if (text.trim() === '') {
    const { eol, written } = layoutOf(text)
    return `${written({ [path[depth] ?? '']: nested }, '')}${eol}`
  }
  const holder = nodeAt(text, path.slice(0, depth))
  if (holder?.type !== 'object') throw new TypeError(`${path.slice(0, depth).join('.')} is not an object`)
  return insert(text, holder, `${JSON.stringify(path[depth])}: `, nested)
}

/** Without the member or item at a path, and the comma that goes with it. */
export function withoutEntry(text: string, path: Path): string {
  const value = nodeAt(text, path)
  if (value === undefined) return text
  const entry = value.parent?.type === 'property' ? value.parent : value
  const siblings = entry.parent?.children ?? []
  const before = siblings[siblings.indexOf(entry) - 1]
  const blank = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, entry.offset))?.[0].length ?? 0
  const comma = commaFrom(text, endOf(entry)) ?? (before && commaFrom(text, endOf(before)))
  return applyEdits(text, [
    { offset: entry.offset - blank, length: entry.length + blank, content: '' },
    ...(comma === undefined ? [] : [{ offset: comma, length: 1, content: '' }]),
  ])
}

/** As the text is laid out already. */
function layoutOf(text: string) {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  const written = (value: unknown, indent: string) =>
    JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`)
  return { eol, unit, written }
}

/** Adds an entry behind the last one; `name` is what stands before its value. */
function insert(text: string, holder: Node, name: string, value: unknown): string {
  const { eol, unit, written } = layoutOf(text)
  const last = holder.children?.at(-1)
  const around = indentOf(text, holder.offset)
  const own = last === undefined ? '' : indentOf(text, last.offset)
  const indent = own.length > around.length ? own : around + unit
  const entry = `${eol}${indent}${name}${written(value, indent)}`
  const inside = text.slice(holder.offset + 1, endOf(holder))
  const isOneLine = !inside.includes('\n')
  if (last === undefined) {
    // What is inside already, white space or comments, stays below.
    const content = isOneLine ? `${entry}${eol}${around}` : entry
    return applyEdits(text, [{ offset: holder.offset + 1, length: 0, content }])
  }
  const comma = commaFrom(text, endOf(last))
  const from = comma === undefined ? endOf(last) : comma + 1
  // A comment at the end of the line belongs to the entry before.
  const rest = COMMENT_TO_LINE_END.exec(text.slice(from))?.[0] ?? ''
  const content = isOneLine ? ` ${name}${JSON.stringify(value)}` : entry
  return applyEdits(text, [
    ...(comma === undefined ? [{ offset: from, length: 0, content: ',' }] : []),
    { offset: from + rest.length, length: 0, content },
  ])
}

const COMMENT_TO_LINE_END = /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/[ \t]*)?(?=\r?\n)/

function indentOf(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(line, offset))?.[0] ?? ''
}

function nodeAt(text: string, path: Path): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true })
  return root && findNodeAtLocation(root, [...path])
}

/** The offset of the comma that comes next, behind white space and comments. */
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
