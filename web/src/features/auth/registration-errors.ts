import { ApiError, messageOf } from '../../shared/api/api-error.ts'
import { sortFaults, type FieldFaults } from '../../shared/api/field-faults.ts'

export type RegistrationFaults = FieldFaults

/** What a failed registration shows and where, by status (accounts specification, section 8). */
export function registrationFaults(error: unknown): RegistrationFaults {
  if (!(error instanceof ApiError)) return { general: 'Registration failed. Please try again.' }
  switch (error.status) {
    case 0:
      return { general: 'Network error. Please try again.' }
    case 409:
      return conflictFaults(messageOf(error, 'User already exists'))
    case 400:
      return inputFaults(error)
    case 429:
      return { general: 'Too many registration attempts. Please try again later.' }
    case 500:
      return { general: 'Server error. Please try again later.' }
    default:
      return { general: messageOf(error, 'Registration failed. Please try again.') }
  }
}

function conflictFaults(message: string): RegistrationFaults {
  if (message === 'Email already registered') return { email: 'Email already exists' }
  if (message === 'Username already taken') return { username: message }
  return { general: message }
}

/** The details of a 400 are sorted by the field they speak of. */
function inputFaults(error: ApiError): RegistrationFaults {
  if (error.details.length > 0) return sortFaults(error.details)
  return { general: messageOf(error, 'Please check your input and try again.') }
}
