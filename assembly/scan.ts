/** How many of 384 signs differ, for many codes at once. A code is 48 bytes; `CODES` holds at most `MOST_CODES`. */

export const MOST_CODES: usize = 4096
/** The code that the others are compared with: written by the host. */
export const ASKED: usize = 1024
/** One uint16 for each code: read by the host. */
export const DISTANCES: usize = ASKED + 64
/** Written by the host. */
export const CODES: usize = DISTANCES + MOST_CODES * 2

const CODE: usize = 48

export function scan(count: usize): void {
  const a = load<u64>(ASKED)
  const b = load<u64>(ASKED, 8)
  const c = load<u64>(ASKED, 16)
  const d = load<u64>(ASKED, 24)
  const e = load<u64>(ASKED, 32)
  const f = load<u64>(ASKED, 40)
  for (let i: usize = 0; i < count; i++) {
    const code = CODES + i * CODE
    const distance =
      popcnt<u64>(load<u64>(code) ^ a) +
      popcnt<u64>(load<u64>(code, 8) ^ b) +
      popcnt<u64>(load<u64>(code, 16) ^ c) +
      popcnt<u64>(load<u64>(code, 24) ^ d) +
      popcnt<u64>(load<u64>(code, 32) ^ e) +
      popcnt<u64>(load<u64>(code, 40) ^ f)
    store<u16>(DISTANCES + i * 2, <u16>distance)
  }
}
