import { gramsOf } from '../../domain/names.js'
import { Uint32List } from './uint32-list.js'

/** Finds the names that may contain a text by its trigrams. Candidates are a superset: the caller checks each name. */
export class TrigramIndex {
  readonly #names = new Map<string, Uint32List>()

  /** Numbers must be added in ascending order. */
  add(number: number, name: string): void {
    for (const gram of gramsOf(name)) {
      const numbers = this.#names.get(gram)
      if (numbers === undefined) this.#names.set(gram, new Uint32List(number))
      else numbers.push(number)
    }
  }

  /** A list with the number of every name that contains the text; undefined when the text is shorter than a trigram. */
  candidates(text: string): Uint32List | undefined {
    let shortest: Uint32List | undefined
    for (const gram of gramsOf(text)) {
      const numbers = this.#names.get(gram) ?? new Uint32List()
      if (shortest === undefined || numbers.length < shortest.length) shortest = numbers
    }
    return shortest
  }
}
