import { BSONRegExp } from 'bson'
import { CommandError } from '../errors.ts'

/** Converts a pattern and its options (i, m, s, u) to a JavaScript expression; refuses what only PCRE supports. */
export function toRegExp(pattern: string, options: string): RegExp {
  const foreign = /[^imsu]/.exec(options)
  if (foreign) throw new CommandError('Location51091', `the regular expression option '${foreign[0]}' is not supported`)
  const flags = options.replace('u', '')
  try {
    return new RegExp(pattern, `${flags}u`)
  } catch {
    return withoutUnicodeMode(pattern, flags)
  }
}

/** Compiles without Unicode mode, which rejects needless escapes that PCRE allows. */
function withoutUnicodeMode(pattern: string, flags: string): RegExp {
  if (/\\p\{/i.test(pattern)) {
    // Without Unicode mode, it would silently mean the letter p.
    throw new CommandError('Location51091', 'Regular expression is invalid: \\p{…} beside an escape that needs none')
  }
  try {
    return new RegExp(pattern, flags)
  } catch (error) {
    throw new CommandError('Location51091', `Regular expression is invalid: ${String(error)}`)
  }
}

/** Matches strings against the expression, and stored expressions that are equal to it. */
export function regexTest(regex: BSONRegExp): (value: unknown) => boolean {
  const compiled = toRegExp(regex.pattern, regex.options)
  return (value) => {
    if (typeof value === 'string') return compiled.test(value)
    return value instanceof BSONRegExp && value.pattern === regex.pattern && value.options === regex.options
  }
}
