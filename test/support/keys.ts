import { expect } from 'vitest'

/** The forms in which keys come. */
export const KEY_ID: string = expect.stringMatching(/^key_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
export const SECRET: string = expect.stringMatching(/^lore_[A-Za-z0-9_-]{48}$/)
