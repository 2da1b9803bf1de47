/** The battery at full length, or short enough for every commit. */
export const FULL = process.env['FAULTS'] === 'full'

export function scaled(short: number, full: number): number {
  return FULL ? full : short
}
