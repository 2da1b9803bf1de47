/** Takes the pictures of the explorer anew: `npm run pictures`. */
import { writeFile } from 'node:fs/promises'
import { takePictures } from './pictures/take.js'
import { ROOT } from './proof/paths.js'

for (const [name, png] of await takePictures()) {
  await writeFile(`${ROOT}/docs/pictures/${name}.png`, png)
  console.log(`docs/pictures/${name}.png: ${Math.ceil(png.length / 1000)} kB`)
}
