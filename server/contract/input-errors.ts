import type { z } from 'zod'
import { currentLanguage, t } from './texts/t.ts'

/** One error in an input. `field` names the top-level field to which it belongs; undefined when the input as a whole is wrong. */
export interface InputError {
  field: string | undefined
  message: string
}

type CheckedInput<Data> = { data: Data; errors: undefined } | { data: undefined; errors: InputError[] }

const acronyms: Record<string, string> = { id: 'Id', totp: 'TOTP', ip: 'IP' }

/** Parses an input by a schema of the contract. The server and forms share it so that both report errors in the same words. */
export function checkInput<Schema extends z.ZodType>(schema: Schema, input: unknown): CheckedInput<z.output<Schema>> {
  const parsed = schema.safeParse(input, { error: describeIssue })
  if (parsed.success) return { data: parsed.data, errors: undefined }
  return { data: undefined, errors: parsed.error.issues.flatMap((issue) => toErrors(issue)) }
}

/**
 * Returns the sentence for an issue for which the schema has no message; messages of the schema take precedence. Field names are English,
 * so in other languages the sentence omits the name; it is shown beside its field.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  const label = currentLanguage() === 'en' ? labelOf(issue.path ?? []) : 'none'
  const isOfKind = issue.code === 'invalid_type' || issue.code === 'invalid_union'
  if (isOfKind && issue.input === undefined)
    return t('{label, select, none {This is required} other {{label} is required}}', { label })
  const isNumber = 'origin' in issue && (issue.origin === 'number' || issue.origin === 'int')
  if (issue.code === 'too_big') {
    return isNumber
      ? t('{label, select, none {This is too large} other {{label} is too large}}', { label })
      : t('{label, select, none {This is too long} other {{label} is too long}}', { label })
  }
  if (issue.code === 'too_small') {
    return isNumber
      ? t('{label, select, none {This is too small} other {{label} is too small}}', { label })
      : t('{label, select, none {This is too short} other {{label} is too short}}', { label })
  }
  if (issue.code === 'unrecognized_keys') return 'The request holds fields that are not known'
  return t('{label, select, none {This is not valid} other {{label} is not valid}}', { label })
}

/** A union reports one issue. The branch with the fewest errors is assumed to be meant, unless the value fits no branch's type. */
function toErrors(issue: z.core.$ZodIssue, parentPath: readonly PropertyKey[] = []): InputError[] {
  const path = [...parentPath, ...issue.path]
  const own: InputError = { field: typeof path[0] === 'string' ? path[0] : undefined, message: issue.message }
  if (issue.code !== 'invalid_union' || issue.errors.every(isOfOtherKind)) return [own]
  const branches = issue.errors.map((branch) => branch.flatMap((inner) => toErrors(inner, path)))
  return branches.reduce((best, branch) => (branch.length < best.length ? branch : best))
}

/** Returns whether a value is not even of the type that a branch takes: the error has an empty path. */
function isOfOtherKind(branch: z.core.$ZodIssue[]): boolean {
  return branch.some(({ code, path }) => path.length === 0 && (code === 'invalid_type' || code === 'invalid_value'))
}

/** Returns "New password" for `new_password`; without a path, the request itself. */
function labelOf(path: readonly PropertyKey[]): string {
  const name = path.findLast((part) => typeof part === 'string')
  if (name === undefined) return 'The request'
  const words = String(name)
    .split('_')
    .map((word) => acronyms[word] ?? word)
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
