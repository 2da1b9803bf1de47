import { graphs } from './001-graphs.js'

/** In order; the number of each is its place, from 1. One that has shipped is never changed: a new one is added. */
export const MIGRATIONS: readonly string[] = [graphs]
