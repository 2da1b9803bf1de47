import { gramsOf } from '../../domain/names.js'
import { Uint32List } from './uint32-list.js'

/**
 * Which names hold which three characters in a row, so that a search need not look at every name. What it gives is a
 * superset: the caller still has to look.
 */
export class TrigramIndex {
  readonly #names = new Map<string, Uint32List>()

  /** Numbers are added in rising order. */
  add(number: number, name: string): void {
    for (const gram of gramsOf(name)) {
      const numbers = this.#names.get(gram)
      if (numbers === undefined) this.#names.set(gram, new Uint32List(number))
      else numbers.push(number)
    }
  }

  /** The shortest list that holds every name with this text in it; undefined when the text is too short to tell. */
  holding(text: string): Uint32List | undefined {
    let shortest: Uint32List | undefined
    for (const gram of gramsOf(text)) {
      const numbers = this.#names.get(gram) ?? new Uint32List()
      if (shortest === undefined || numbers.length < shortest.length) shortest = numbers
    }
    return shortest
  }
}
