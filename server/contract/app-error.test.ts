import { expect, test } from 'vitest'
import { AppError, toErrorBody } from './app-error.ts'

test('the body of an error has its sentence and its code, and of the rest only what is known', () => {
  expect(toErrorBody(new AppError('not_found', 'Recording not found'))).toEqual({
    error: 'Recording not found',
    code: 'not_found',
  })
})

test('the body of an error has everything that helps the reader', () => {
  const cause = new Error('The disk is slow')
  const error = new AppError('account_locked', 'The account is locked', {
    details: ['Too many attempts'],
    fields: { password: ['Invalid email or password'] },
    help: 'Wait, or reset the password.',
    remainingSeconds: 0,
    cause,
  })
  expect(error).toMatchObject({ name: 'AppError', cause, message: 'The account is locked' })
  expect(toErrorBody(error, 'r-1')).toEqual({
    error: 'The account is locked',
    code: 'account_locked',
    details: ['Too many attempts'],
    fields: { password: ['Invalid email or password'] },
    help: 'Wait, or reset the password.',
    remaining_seconds: 0,
    request_id: 'r-1',
  })
})
