export interface HowOften {
  readonly quick: number
  readonly full: number
}

const IS_FULL = process.env['RUNS'] === 'full'

/**
 * How often random input is tried: in `npm test` as often as a quick suite has time for, with `RUNS=full` as
 * `npm run test:random` does, or as often as the variable says.
 */
export function runsOf({ quick, full }: HowOften, variable?: string): number {
  const said = variable === undefined ? undefined : process.env[variable]
  return Number(said ?? (IS_FULL ? full : quick))
}
