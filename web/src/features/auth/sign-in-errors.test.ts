import { describe, expect, it } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { formatLock, signInMessage } from './sign-in-errors.ts'

function messageFor(status: number, message = 'from the server', remainingSeconds?: number) {
  return signInMessage(new ApiError(message, { status, remainingSeconds }))
}

function forbidden(code: ErrorCode) {
  return signInMessage(new ApiError('from the server', { status: 403, code }))
}

describe('the message of a failed sign-in', () => {
  it.each([
    [400, 'Please check your input and try again.'],
    [401, 'Invalid email or password'],
    [429, 'Too many failed attempts. Please wait before trying again.'],
    [500, 'Server error. Please try again later.'],
    [418, 'from the server'],
  ])('status %i', (status, sentence) => {
    expect(messageFor(status)).toBe(sentence)
  })

  it('distinguishes deactivated, unverified and other refusals by their code', () => {
    expect(forbidden('account_deactivated')).toBe('Your account has been deactivated. Please contact support.')
    expect(forbidden('verification_required')).toBe('Please verify your email address before logging in')
    expect(forbidden('forbidden')).toBe('Access denied. Please check your credentials.')
    expect(forbidden('password_expired')).toBe('from the server')
  })

  it('rounds the lock up to minutes, 2 when the server names no time', () => {
    const locked = (minutes: number) =>
      `Account temporarily locked due to multiple failed attempts. Please try again in ${minutes} minutes.`
    expect(messageFor(423, '', 61)).toBe(locked(2))
    expect(messageFor(423, '', 600)).toBe(locked(10))
    expect(messageFor(423)).toBe(locked(2))
    expect(messageFor(423, '', 60)).toMatch(/in 1 minute\.$/)
  })

  it('reports the network when no answer came', () => {
    const network = 'Network error. Please check your connection and try again.'
    expect(messageFor(0, 'Network error occurred')).toBe(network)
    expect(signInMessage(new Error('NetworkError when attempting to fetch'))).toBe(network)
    expect(signInMessage(new Error('odd'))).toBe('odd')
    expect(signInMessage(undefined)).toBe('An unexpected error occurred. Please try again.')
  })

  it('counts down in m:ss, in seconds under a minute', () => {
    expect(formatLock(125)).toBe('2:05')
    expect(formatLock(59)).toBe('59s')
  })
})
