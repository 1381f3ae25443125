import type { z } from 'zod'
import { AppError } from '#contract/app-error.ts'

const acronyms: Record<string, string> = { id: 'Id', totp: 'TOTP', ip: 'IP' }

/**
 * Parses what a caller sent by the contract.
 * @throws AppError `invalid_input` with one sentence a fault
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(input, { error: describeIssue })
  if (parsed.success) return parsed.data
  throw invalidInput([...new Set(parsed.error.issues.flatMap(sentences))].slice(0, 20))
}

/** `invalid_input` whose message is the one fault, or a general sentence where there are several. */
export function invalidInput(details: string[]): AppError {
  const [only] = details
  const message = details.length === 1 && only ? only : 'Please check your input and try again.'
  return new AppError('invalid_input', message, { details })
}

/** The sentence of a fault that the contract gives no words for. Sentences of the contract win. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  const label = labelOf(issue.path ?? [])
  if (issue.code === 'invalid_type' && issue.input === undefined) return `${label} is required`
  if (issue.code === 'too_big')
    return `${label} is too ${issue.origin === 'number' || issue.origin === 'int' ? 'large' : 'long'}`
  if (issue.code === 'too_small')
    return `${label} is too ${issue.origin === 'number' || issue.origin === 'int' ? 'small' : 'short'}`
  if (issue.code === 'unrecognized_keys') return 'The request holds fields that are not known'
  return `${label} is not valid`
}

/** A union reports one issue; the faults of its first branch that was meant are what helps. */
function sentences(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== 'invalid_union') return [issue.message]
  const branches = issue.errors.map((branch) => branch.flatMap(sentences))
  const best = branches.reduce<string[] | undefined>(
    (a, b) => (a === undefined || b.length < a.length ? b : a),
    undefined,
  )
  return best && best.length > 0 ? best : [issue.message]
}

/** `new_password` is "New password"; without a path it is the request itself. */
function labelOf(path: readonly PropertyKey[]): string {
  const name = path.findLast((part) => typeof part === 'string')
  if (name === undefined) return 'The request'
  const words = String(name)
    .split('_')
    .map((word) => acronyms[word] ?? word)
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
