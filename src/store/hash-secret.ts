import { hash } from 'node:crypto'

/** A slow password hash is not needed: secrets are random, or have at least 32 characters. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
