import { Username } from '#contract/names.ts'

/**
 * Returns a username derived from an address, such as `a.b` from `a.b+calls@example.org`; empty if it would break the rules for names.
 */
export function suggestUsername(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).replace(/\+.*/, '')
  const name = local
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{Nd}._-]+/gu, '.')
    .replaceAll(/([._-])[._-]+/g, '$1')
    .replaceAll(/^[._-]+|[._-]+$/g, '')
  const parsed = Username.safeParse(name)
  return parsed.success ? parsed.data : ''
}
