// Loaded into the service by NODE_OPTIONS: at SIGUSR2 it collects garbage and says how much is in use.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
process.on('SIGUSR2', () => {
  collect()
  collect()
  console.log(`heap in use: ${process.memoryUsage().heapUsed}`)
})
