import { mergeConfig } from 'vitest/config'
import project from '../../vitest.config.js'

/** That a bug is seen is all that is asked: the first failure is enough, and nobody reads its shortest input. */
export default mergeConfig(project, { test: { bail: 1, setupFiles: ['scripts/mutants/unshrunk.ts'] } })
