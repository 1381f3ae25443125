import { t } from '#contract/texts/t.ts'
import { ApiError, messageOf } from '../../shared/api/api-error.ts'

/** Default lock duration in seconds (accounts specification, section 9). */
export const defaultLockSeconds = 120

const networkMessage = t('Network error. Please check your connection and try again.')

/** Returns the message of a failed sign-in, by status (accounts specification, section 8). */
export function signInMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return messageWithoutStatus(error)
  switch (error.status) {
    case 0:
      return networkMessage
    case 400:
      return t('Please check your input and try again.')
    case 401:
      return t('Invalid email or password')
    case 403:
      return forbiddenMessage(error)
    case 423:
      return lockedMessage(error.remainingSeconds ?? defaultLockSeconds)
    case 429:
      return t('Too many failed attempts. Please wait before trying again.')
    case 500:
      return t('Server error. Please try again later.')
    default:
      return messageOf(error, t('Login failed. Please try again.'))
  }
}

function forbiddenMessage({ code, message }: ApiError): string {
  if (code === 'password_expired') return message
  if (code === 'account_deactivated') return t('Your account has been deactivated. Please contact support.')
  if (code === 'verification_required') return t('Please verify your email address before logging in')
  return t('Access denied. Please check your credentials.')
}

function lockedMessage(remainingSeconds: number): string {
  const minutes = Math.ceil(remainingSeconds / 60)
  return t(
    'Account temporarily locked due to multiple failed attempts. Please try again in {minutes, plural, one {# minute} other {# minutes}}.',
    { minutes },
  )
}

function messageWithoutStatus(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (message.includes('Network')) return networkMessage
  return message || t('An unexpected error occurred. Please try again.')
}

/** Returns `1:05`, or `45s` below a minute (accounts specification, section 8). */
export function formatLock(seconds: number): string {
  if (seconds < 60) return t('{seconds, number}s', { seconds })
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
