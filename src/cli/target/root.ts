import { ROOT_KEY, SCOPES } from '../../domain/keys.js'

/** An empty request. */
export const EMPTY = { path: {}, query: {}, headers: {}, body: undefined }
/** A process that can write to the folder or the database can do anything. */
export const ROOT = { requestId: 'command line', principal: { keyId: ROOT_KEY, scopes: SCOPES } }
