import { Username } from '#contract/names.ts'
import type { Users } from './service.ts'

const maxTries = 1000

/** A username that the rules allow, made of what stands before the @: `a.b+c@example.org` gives `a.b.c`. */
export function usernameFromEmail(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).normalize('NFKC')
  const words = local.split(/[^\p{L}\p{M}\p{Nd}]+/u).filter((word) => /^[\p{L}\p{Nd}]/u.test(word))
  const parsed = Username.safeParse(words.join('.').slice(0, 50).replace(/\.$/, ''))
  return parsed.success ? parsed.data : 'user'
}

/** The same, with a number where another account has it. */
export async function findFreeUsername(users: Pick<Users, 'isUsernameFree'>, email: string): Promise<string> {
  const wanted = usernameFromEmail(email)
  for (let number = 1; number <= maxTries; number += 1) {
    const candidate = number === 1 ? wanted : `${wanted}.${number}`
    if (await users.isUsernameFree(candidate)) return candidate
  }
  throw new Error(`No username like ${wanted} is free`)
}
