import { closeSync, openSync, readSync } from 'node:fs'

/** The numbers in the first line of a file that the system writes anew whenever it is read. */
export class FirstLine {
  readonly #file: number
  readonly #buffer = Buffer.alloc(256)

  constructor(path: string) {
    this.#file = openSync(path, 'r')
  }

  numbers(): number[] {
    const length = readSync(this.#file, this.#buffer, 0, this.#buffer.length, 0)
    const [line = ''] = this.#buffer.toString('latin1', 0, length).split('\n', 1)
    return line.split(/ +/).map(Number)
  }

  close(): void {
    closeSync(this.#file)
  }
}
