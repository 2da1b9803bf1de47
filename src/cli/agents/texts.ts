import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Marks, withBlock, withoutBlock } from './block-text.js'
import type { HostFile } from './wiring.js'

/** The texts for agents that come with this package. */
const TEXTS = new URL('../../../plugins/', import.meta.url)
const SKILLS = ['ask-before-you-start', 'record-what-you-learned']

const MARKS: Marks = {
  comment: ['<!--', ' -->'],
  note: '"loregraph connect --agents-md" wrote this, "loregraph disconnect" removes it',
}

/** A file of instructions, with the lines that say when to use the tools. */
export function blockFile(file: string): HostFile {
  return {
    file,
    with: (text) => withBlock(text, MARKS, read('AGENTS.md').trimEnd().split('\n')),
    without: (text) => withoutBlock(text, MARKS),
  }
}

/** The skills in a folder. One that is there already, in whatever words, is left as it is. */
export function skillFiles(folder: string): readonly HostFile[] {
  return SKILLS.map((name) => ({
    file: join(folder, name, 'SKILL.md'),
    with: (text) => (text.trim() === '' ? read(`claude-code/skills/${name}/SKILL.md`) : text),
    without: (text) => text,
  }))
}

function read(name: string): string {
  return readFileSync(new URL(name, TEXTS), 'utf8')
}
