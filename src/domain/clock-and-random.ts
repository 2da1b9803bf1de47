export interface ClockAndRandom {
  readonly now: () => Date
  readonly randomBytes: (size: number) => Uint8Array
}
