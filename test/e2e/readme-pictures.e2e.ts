import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { PICTURES, type PictureName, takePictures } from '../../scripts/pictures/take.js'
import { CHROMIUM, openBrowser } from '../support/explorer.js'
import { shareThatDiffers } from '../support/pictures.js'
import { ROOT } from '../support/program.js'

/** About a hundred pixels, less than a word has; an edge that is smoothed otherwise is not counted at all. */
const MAX_DIFFERENT = 0.0001
const names = Object.keys(PICTURES) as PictureName[]
const kept = (name: string) => join(ROOT, `docs/pictures/${name}.png`)

describe('the pictures of the explorer', () => {
  test.each(names)('%s: shown, described in words, and at most 120 kB', async (name) => {
    const page = await readFile(join(ROOT, 'docs/explorer.md'), 'utf8')
    expect(page).toMatch(new RegExp(`!\\[[^\\]]{40,}\\]\\(pictures/${name}\\.png\\)`))
    expect((await stat(kept(name))).size).toBeLessThan(120_000)
  })

  describe.runIf(CHROMIUM !== undefined)('taken anew', () => {
    let taken: ReadonlyMap<PictureName, Buffer>
    beforeAll(async () => {
      taken = await takePictures()
    })

    test.each(names)('%s: is what the page looks like (else: npm run pictures)', async (name) => {
      const browser = await openBrowser()
      try {
        const share = await shareThatDiffers(
          browser,
          await readFile(kept(name)),
          taken.get(name) ?? Buffer.of(),
        )
        expect(share).toBeLessThan(MAX_DIFFERENT)
      } finally {
        await browser.close()
      }
    })
  })
})
