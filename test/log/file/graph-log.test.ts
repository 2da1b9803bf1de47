import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openFileLog } from '../../../src/log/file/file-log.js'
import { temporaryFolder } from '../../support/folder.js'
import { SILENT } from '../../support/silent.js'
import { describeGraphLog } from '../graph-log.suite.js'

for (const compactBytes of [1_000_000, 500]) {
  const openFolder = async () => {
    const folder = temporaryFolder()
    const open = () => openFileLog({ folder, log: SILENT, randomBytes, compactBytes })
    let log = await open()
    return {
      log,
      async reopen() {
        await log.close()
        log = await open()
        return log
      },
      close: () => log.close(),
      async stored() {
        const texts: string[] = []
        for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
          if (entry.isFile()) texts.push(await readFile(join(entry.parentPath, entry.name), 'latin1'))
        return texts.join('\n')
      },
    }
  }
  describeGraphLog(`a log in files, compacted at ${compactBytes} bytes`, openFolder, false)
}
