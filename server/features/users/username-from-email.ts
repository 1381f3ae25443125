import { Username } from '#contract/names.ts'
import type { Users } from './service.ts'

const maxTries = 1000

/** Returns a valid username made from the part before the @: `a.b.c` for `a.b+c@example.org`. */
export function usernameFromEmail(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@')).normalize('NFKC')
  const words = local.split(/[^\p{L}\p{M}\p{Nd}]+/u).filter((word) => /^[\p{L}\p{Nd}]/u.test(word))
  const parsed = Username.safeParse(words.join('.').slice(0, 50).replace(/\.$/, ''))
  return parsed.success ? parsed.data : 'user'
}

/** Returns such a username that is free, with a number appended if needed. Throws if `maxTries` numbers are taken. */
export async function findFreeUsername(users: Pick<Users, 'isUsernameFree'>, email: string): Promise<string> {
  const wanted = usernameFromEmail(email)
  for (let number = 1; number <= maxTries; number += 1) {
    const candidate = number === 1 ? wanted : `${wanted}.${number}`
    if (await users.isUsernameFree(candidate)) return candidate
  }
  throw new Error(`No username like ${wanted} is free`)
}
