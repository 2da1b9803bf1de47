import { describe, expect, test } from 'vitest'
import { CodeScan } from '../../../src/domain/meaning/code-scan.js'
import { CODE_WORDS } from '../../../src/domain/meaning/nearness.js'
import { loadScanProgram } from '../../../src/service/meaning/program.js'
import { hammingDistance } from '../../support/hamming.js'
import { createRandom } from '../../support/random.js'

const random = createRandom(1)
const scan = new CodeScan(await loadScanProgram())
const COUNT = 10_000
const codes = randomCodes(COUNT)
const asked = randomCodes(1)

describe('the scan', () => {
  test.each([0, 1, 2, 4095, 4096, 4097, COUNT])('of %d codes finds the nearest, in order', (count) => {
    expect(scan.nearest(codes, count, asked, 200)).toEqual(expected(count).slice(0, 200))
  })

  test('of two that are equally near the earlier comes first', () => {
    const same = new Uint32Array(100 * CODE_WORDS)
    expect(scan.nearest(same, 100, asked, 5)).toEqual([0, 1, 2, 3, 4])
  })

  test('rows that are not admitted are passed over, however many', () => {
    const admits = (row: number) => row % 100 === 7
    expect(scan.nearest(codes, COUNT, asked, 50, admits)).toEqual(expected(COUNT).filter(admits).slice(0, 50))
    expect(scan.nearest(codes, COUNT, asked, 50, () => false)).toEqual([])
  })

  test('no more than there are, and none when none are wanted', () => {
    expect(scan.nearest(codes, 7, asked, 200)).toHaveLength(7)
    expect(scan.nearest(codes, 7, asked, 0)).toEqual([])
  })

  test('a scan of few after one of many sees only the few', () => {
    scan.nearest(codes, COUNT, asked, 10)
    expect(scan.nearest(codes, 3, asked, 10)).toEqual(expected(3))
  })
})

function expected(count: number): number[] {
  const distance = (row: number) =>
    hammingDistance(codes.subarray(row * CODE_WORDS, (row + 1) * CODE_WORDS), asked)
  return Array.from({ length: count }, (_, row) => ({ row, distance: distance(row) }))
    .sort((a, b) => a.distance - b.distance || a.row - b.row)
    .map(({ row }) => row)
}

function randomCodes(count: number): Uint32Array {
  return Uint32Array.from({ length: count * CODE_WORDS }, () => random() * 2 ** 32)
}
