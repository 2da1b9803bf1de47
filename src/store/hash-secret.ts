import { hash } from 'node:crypto'

/** SHA-256 suffices: a secret is 256 random bits, or 32 characters that its owner chose with as much care. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
