/** Checked by the compiler alone: steps in an order that does not work do not compile. */
import type {
  Checked,
  Identified,
  Parsed,
  Received,
  Routed,
  Step,
} from '../../../src/http/pipeline/exchange.js'
import { StepList } from '../../../src/http/pipeline/step-list.js'

declare const requestId: Step<object, Identified>
declare const requestHead: Step<object, Pick<Received, 'path'>>
declare const router: Step<Received, Pick<Routed, 'operation' | 'pathParams'>>
declare const body: Step<Routed, Pick<Parsed, 'stream'>>
declare const dispatch: Step<Checked>

const received = new StepList().add(requestId).add(requestHead)
received.add(router).add(body)
// @ts-expect-error The router's 404 names the request, so that the id comes first.
new StepList().add(requestHead).add(router)
// @ts-expect-error The body is read once the operation is known.
received.add(body)
// @ts-expect-error The handler is called once everything is checked.
received.add(router).add(body).add(dispatch)
