import type { Browser } from 'playwright-core'

/** Differences that nobody sees: an edge that is smoothed a little otherwise. */
const UNSEEN = 48

/** Which share of its pixels looks different in the other picture, from 0 to 1. */
export async function shareThatDiffers(browser: Browser, one: Buffer, other: Buffer): Promise<number> {
  if (one.equals(other)) return 0
  const page = await browser.newPage()
  const [first, second] = [one, other].map((png) => `data:image/png;base64,${png.toString('base64')}`)
  const share = await page.evaluate<number>(`(async () => {
    const pixels = async (address) => {
      const image = await createImageBitmap(await (await fetch(address)).blob())
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
      canvas.drawImage(image, 0, 0)
      return canvas.getImageData(0, 0, image.width, image.height)
    }
    const [a, b] = [await pixels('${first}'), await pixels('${second}')]
    if (a.width !== b.width || a.height !== b.height) return 1
    let count = 0
    for (let at = 0; at < a.data.length; at += 4)
      if ([0, 1, 2].some((part) => Math.abs(a.data[at + part] - b.data[at + part]) > ${UNSEEN})) count++
    return count / (a.width * a.height)
  })()`)
  await page.close()
  return share
}
