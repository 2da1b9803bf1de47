import { modelSuite } from './suite.js'
import { jsonWorld } from './world.js'

modelSuite('the service over the JSON store', jsonWorld)
