import { modelSuite } from './suite.js'
import { jsonWorld } from './world.js'

modelSuite('the service over files', jsonWorld)
