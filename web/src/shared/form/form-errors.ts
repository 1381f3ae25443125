import type { z } from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import { checkInput } from '#contract/input-errors.ts'
import { ApiError } from '../api/api-error.ts'

/** At most one sentence per field, by the field's name. */
export type FieldErrors = Record<string, string | undefined>

/** The errors of a failed call: those of single fields, and those of the form as a whole. */
export interface FormErrors {
  fields: FieldErrors
  general?: string | undefined
}

/** Validates values with a schema of the contract. Returns the first error of each field. */
export function validateInput(schema: z.ZodType, values: unknown): FieldErrors {
  const fields: FieldErrors = {}
  for (const { field, message } of checkInput(schema, values).errors ?? []) if (field) fields[field] ??= message
  return fields
}

/** The field that an error code concerns, in any form. */
const fieldOfCode: Partial<Record<ErrorCode, string>> = {
  email_taken: 'email',
  username_taken: 'username',
  wrong_password: 'current_password',
  wrong_code: 'code',
}

/** Assigns the errors of a failed call to the fields of a form; an error for none of `names` is general. */
export function sortByField(error: unknown, names: string[]): FormErrors {
  if (!(error instanceof ApiError)) return { fields: {} }
  const codeField = error.code && fieldOfCode[error.code]
  if (codeField && names.includes(codeField)) return { fields: { [codeField]: error.message } }
  const sorted = Object.entries(error.fields).filter(([name]) => names.includes(name))
  const atFields = new Set(sorted.flatMap(([, messages]) => messages))
  const others = error.details.filter((detail) => !atFields.has(detail)).join(' ')
  return {
    fields: Object.fromEntries(sorted.map(([name, messages]) => [name, messages.join(' ')])),
    general: others || (sorted.length > 0 ? undefined : error.message),
  }
}
