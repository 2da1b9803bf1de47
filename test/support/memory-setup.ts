import { statfsSync } from 'node:fs'

const MEMORY = '/dev/shm'
/** More than all tests of a run hold at once; a container often has 64 MB there. */
const MIN_BYTES = 2 ** 31

/**
 * Temporary folders in memory, where there is room: flushes of thousands of small writes are most of the time of a run.
 * That what is flushed is on a disk, other tests show: test/log/file/graph-files, test/faults.
 */
export default function setup(): void {
  if (process.env['TMPDIR'] === undefined && freeBytes(MEMORY) > MIN_BYTES) process.env['TMPDIR'] = MEMORY
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}
