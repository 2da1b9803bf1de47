import { Uint32List } from './uint32-list.js'

const LENGTH = 3

/**
 * Which names hold which three characters in a row, so that a search need not look at every name. What it gives is a
 * superset: the caller still has to look.
 */
export class TrigramIndex {
  readonly #names = new Map<string, Uint32List>()

  /** Numbers are added in rising order. */
  add(number: number, name: string): void {
    for (let i = 0; i + LENGTH <= name.length; i++) {
      const gram = name.slice(i, i + LENGTH)
      const numbers = this.#names.get(gram)
      if (numbers === undefined) this.#names.set(gram, new Uint32List(number))
      else if (numbers.last !== number) numbers.push(number)
    }
  }

  /** The shortest list that holds every name with this text in it; undefined when the text is too short to tell. */
  holding(text: string): Uint32List | undefined {
    if (text.length < LENGTH) return undefined
    let shortest: Uint32List | undefined
    for (let i = 0; i + LENGTH <= text.length; i++) {
      const numbers = this.#names.get(text.slice(i, i + LENGTH)) ?? new Uint32List()
      if (shortest === undefined || numbers.length < shortest.length) shortest = numbers
    }
    return shortest
  }
}
