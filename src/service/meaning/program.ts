import { readFile } from 'node:fs/promises'
import type { ScanProgram } from '../../domain/meaning/programs.js'

/** The compiled programs. The relative path is the same from `src` and from `dist`. */
export const PROGRAMS = new URL('../../../assembly/', import.meta.url)

/** Instantiates a WebAssembly program; `T` is the type of its exports. */
export async function instantiate<T>(bytes: Uint8Array): Promise<T> {
  const { instance } = await WebAssembly.instantiate(bytes)
  // A boundary: domain/meaning/programs.ts declares the exports of our own programs.
  return instance.exports as T
}

export async function loadScanProgram(): Promise<ScanProgram> {
  return instantiate<ScanProgram>(await readFile(new URL('scan.wasm', PROGRAMS)))
}

/** Whether this machine supports WebAssembly SIMD, by validating a module that uses it. */
export function hasSimd(): boolean {
  return typeof WebAssembly === 'object' && WebAssembly.validate(SIMD_MODULE)
}

const SIMD_MODULE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0], // the magic word and the version
  ...[1, 5, 1, 96, 0, 1, 123], // one type: nothing → v128
  ...[3, 2, 1, 0], // one function of it
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11], // i32.const 0, i8x16.splat, i8x16.popcnt
)
