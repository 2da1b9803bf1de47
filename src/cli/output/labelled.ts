import { harmless, paint, type Terminal } from './terminal.js'
import { hang } from './wrap.js'

/** As wide as the widest label and a gap. */
export const LABEL = 12

/** Lines of text beside a label, none of which can steer the terminal. */
export function labelled(terminal: Terminal, label: string, text: string): string {
  const lines = text.split('\n').map(harmless).join('\n')
  const hung = hang(label.padEnd(LABEL), lines, terminal.columns)
  return label === '' ? hung : hung.replace(label, paint(terminal, 'bold', label))
}

/** A number with the word for one or for many. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
