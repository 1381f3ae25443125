import { ResultCodeError } from 'ldapts'
import type { LdapProviderInput } from '#contract/entities/sign-in-provider.ts'
import { DirectoryUnavailable } from './directory-error.ts'

/** What an administrator can do about a result code (RFC 4511, appendix A). */
const advice: Record<number, string> = {
  1: 'Please set a searching account: this directory answers only to one.',
  4: 'Please narrow the search.',
  8: 'Please use ldaps:// or StartTLS: this directory asks for an encrypted connection.',
  10: 'It is in another directory. Please use the address of that one.',
  13: 'Please use ldaps:// or StartTLS: this directory asks for an encrypted connection.',
  32: 'Please check the base DN, and whether the searching account may read there.',
  34: 'Please check how the base DN or the searching account is written.',
  48: 'Please check the searching account: it cannot sign in with a password.',
  49: 'Please check its name and password.',
  50: 'Please give the searching account the right to read.',
  51: 'Please try again in a while.',
  52: 'Please try again in a while.',
}

/** Returns why an operation failed, in words for an administrator. */
export function toUnavailable(
  error: unknown,
  { url, timeout_seconds: seconds }: Pick<LdapProviderInput, 'url' | 'timeout_seconds'>,
  what: string,
): DirectoryUnavailable {
  if (error instanceof DirectoryUnavailable) return error
  if (error instanceof ResultCodeError) {
    const next = advice[error.code] ?? 'Please see the log of the directory.'
    return new DirectoryUnavailable(`${what} (result ${error.code}). ${next}`, { cause: error })
  }
  const message = error instanceof Error ? error.message : String(error)
  const reason = message.includes('timed out') ? `it did not answer within ${seconds} s` : 'it closed the connection'
  return new DirectoryUnavailable(`${what}: ${url} ${reason.replace(/^it /, '')}. Please check that it runs.`, {
    cause: error,
  })
}
