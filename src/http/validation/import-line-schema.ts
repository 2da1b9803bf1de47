import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { ContractDocument, Schema } from '../../contract/contract.js'
import type { Json } from '../../domain/model.js'
import type { LineSchema, WireEvent } from '../../domain/transfer/decode.js'
import { type Finding, fieldErrors } from './field-errors.js'

/**
 * Compiles the contract's schema for a line of an import. The validator would need the whole body at once.
 */
export function importLineSchema(document: ContractDocument): LineSchema {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv, { mode: 'full' })
  ajv.addSchema({ $id: 'contract', components: document.components })
  const validate = ajv.compile<WireEvent>({ $ref: 'contract#/components/schemas/PastEvent' })
  const body: Schema = { properties: { body: { $ref: '#/components/schemas/PastEvent' } } }
  let invalidLine: Json = null
  return {
    fits(line: Json): line is Json & WireEvent {
      const fits = validate(line)
      if (!fits) invalidLine = line
      return fits
    },
    mistakes() {
      const findings = (validate.errors ?? []).map(({ instancePath, keyword, params, message }): Finding => {
        const field: unknown = params['missingProperty'] ?? params['additionalProperty']
        const path = `/body${instancePath}${typeof field === 'string' ? `/${field}` : ''}`
        return { path, message: message ?? '', errorCode: keyword }
      })
      return fieldErrors(document, body, { body: invalidLine }, findings)
    },
  }
}
