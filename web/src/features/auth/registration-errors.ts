import { t } from '#contract/texts/t.ts'
import { ApiError, messageOf } from '../../shared/api/api-error.ts'
import { sortByField, type FormErrors } from '../../shared/form/form-errors.ts'

/** Returns the messages of a failed registration and where to show them, by status (accounts specification, section 8). */
export function registrationErrors(error: unknown): FormErrors {
  if (!(error instanceof ApiError)) return general(t('Registration failed. Please try again.'))
  switch (error.status) {
    case 0:
      return general(t('Network error. Please try again.'))
    case 409:
      return conflictErrors(error)
    case 400:
      return inputErrors(error)
    case 429:
      return general(t('Too many registration attempts. Please try again later.'))
    case 500:
      return general(t('Server error. Please try again later.'))
    default:
      return general(messageOf(error, t('Registration failed. Please try again.')))
  }
}

function general(message: string): FormErrors {
  return { fields: {}, general: message }
}

function conflictErrors(error: ApiError): FormErrors {
  if (error.code === 'email_taken') return { fields: { email: t('Email already exists') } }
  if (error.code === 'username_taken') return { fields: { username: t('Username already taken') } }
  return general(messageOf(error, t('User already exists')))
}

function inputErrors(error: ApiError): FormErrors {
  if (error.details.length > 0) return sortByField(error, ['first_name', 'last_name', 'email', 'username', 'password'])
  return general(messageOf(error, t('Please check your input and try again.')))
}
