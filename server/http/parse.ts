import type { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { checkInput, type InputError } from '#contract/input-errors.ts'

const maxErrors = 20

/**
 * Parses a caller's input with a schema of the contract. `field` names the input when it is one field of the request. Throws
 * `invalid_input` with one sentence per error.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown, field?: string): z.output<Schema> {
  const { data, errors } = checkInput(schema, input)
  if (errors === undefined) return data
  throw toInvalidInput(errors.map((error) => ({ ...error, field: error.field ?? field })))
}

/** Returns an `invalid_input` error with one sentence per error; `field` names the field of the request that they concern. */
export function invalidInput(details: string[], field?: string): AppError {
  return toInvalidInput(details.map((message) => ({ field, message })))
}

/** The message is the only error, or a general sentence when there are several. */
function toInvalidInput(errors: InputError[]): AppError {
  const details = [...new Set(errors.map(({ message }) => message))].slice(0, maxErrors)
  const [only] = details
  const message = details.length === 1 && only ? only : 'Please check your input and try again.'
  const fields = groupByField(errors.filter((error) => details.includes(error.message)))
  return new AppError('invalid_input', message, { details, ...(Object.keys(fields).length > 0 && { fields }) })
}

function groupByField(errors: InputError[]): Record<string, string[]> {
  const fields = new Map<string, Set<string>>()
  for (const { field, message } of errors) {
    if (field === undefined) continue
    fields.set(field, (fields.get(field) ?? new Set()).add(message))
  }
  return Object.fromEntries([...fields].map(([field, messages]) => [field, [...messages]]))
}
