import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/domain/failure.js'

describe('a failure', () => {
  test('is an error with a code and a sentence for the caller', () => {
    const failure = new Failure('graph_not_found', 'There is no graph demo.')
    expect(failure).toBeInstanceOf(Error)
    expect(failure).toMatchObject({ name: 'Failure', code: 'graph_not_found', errors: [] })
    expect(failure.message).toBe('There is no graph demo.')
  })

  test('keeps its cause for the log, and has none unless given', () => {
    const cause = new Error('ENOSPC')
    expect(new Failure('storage_full', 'The disk is full.', { cause }).cause).toBe(cause)
    expect('cause' in new Failure('storage_full', 'The disk is full.')).toBe(false)
  })

  test('names the fields that are wrong', () => {
    const errors = [{ path: '/name', message: 'A name is needed.' }]
    expect(new Failure('invalid_name', 'A name is needed.', { errors }).errors).toEqual(errors)
  })
})
