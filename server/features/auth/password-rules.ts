import { readFileSync } from 'node:fs'

/** The forms of the product ask for different things: accounts specification, section 5. */
export type PasswordForm = 'registration' | 'reset' | 'change'

interface Check {
  isMet: (password: string) => boolean
  message: string
}

const tooCommon = 'Password is too common. Please choose one that is harder to guess'
const minimum: Check = { isMet: (p) => [...p].length >= 8, message: 'Password must be at least 8 characters long' }
const maximum: Check = {
  isMet: (p) => [...p].length <= 128,
  message: 'Password must be no more than 128 characters long',
}
const uppercase: Check = {
  isMet: (p) => /\p{Lu}/u.test(p),
  message: 'Password must contain at least one uppercase letter',
}
const lowercase: Check = {
  isMet: (p) => /\p{Ll}/u.test(p),
  message: 'Password must contain at least one lowercase letter',
}
const digit: Check = { isMet: (p) => /\d/.test(p), message: 'Password must contain at least one digit' }
const special = (set: RegExp): Check => ({
  isMet: (p) => set.test(p),
  message: 'Password must contain at least one special character',
})
const unrepeated: Check = {
  isMet: (p) => !/(.)\1\1/su.test(p),
  message: 'Password should not contain repeated characters',
}

const changeSpecials = /[!@#$%^&*(),.?":{}|<>]/
const resetSpecials = /[@$!%*?&]/
/** Registration counts any of the specials of the two other forms and the other ASCII ones. */
const registrationSpecials = /[!-/:-@[-`{-~]/

const strict: Record<Exclude<PasswordForm, 'registration'>, Check[]> = {
  reset: [minimum, maximum, lowercase, uppercase, digit, special(resetSpecials)],
  change: [minimum, maximum, uppercase, lowercase, digit, special(changeSpecials), unrepeated],
}
const scored = [minimum, uppercase, lowercase, digit, special(registrationSpecials)]
const leastScore = 4

/**
 * The faults of a new password for a form, one sentence each, none when it may be used. Registration takes 8 or more characters
 * and four of five checks; reset takes all five; change, and the super admin's reset, also refuse a character three times in a row.
 */
export function passwordFaults(form: PasswordForm, password: string): string[] {
  const faults = form === 'registration' ? registrationFaults(password) : failed(strict[form], password)
  if (faults.length === 0 && isCommon(password)) return [tooCommon]
  return faults
}

function failed(checks: Check[], password: string): string[] {
  return checks.filter(({ isMet }) => !isMet(password)).map(({ message }) => message)
}

function registrationFaults(password: string): string[] {
  if (!maximum.isMet(password)) return [maximum.message]
  const missing = scored.filter(({ isMet }) => !isMet(password))
  if (!minimum.isMet(password)) return missing.map(({ message }) => message)
  return scored.length - missing.length >= leastScore ? [] : missing.map(({ message }) => message)
}

let commonWords: Set<string> | undefined

/** Whether the password is a common one behind its capitals, digits and signs: `P@ssw0rd1!` is `password`. */
function isCommon(password: string): boolean {
  commonWords ??= new Set(
    readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line && !line.startsWith('#')),
  )
  const lower = password.toLowerCase()
  const bare = lower.replace(/[^\p{L}\p{N}]+/gu, '')
  const unleeted = lower
    .replace(/[@4]/g, 'a')
    .replace(/0/g, 'o')
    .replace(/[1!|]/g, 'i')
    .replace(/3/g, 'e')
    .replace(/[$5]/g, 's')
    .replace(/7/g, 't')
  const candidates = [lower, bare, trimEnds(lower), trimEnds(unleeted), trimEnds(trimDigitsOf(lower)), unleeted]
  return candidates.some((candidate) => candidate.length > 0 && commonWords?.has(candidate))
}

/** Without digits and signs before and after: `123qwerty!!` is `qwerty`. */
function trimEnds(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
}

/** `p@ssw0rd2024!`: the digits at the end are no letters in disguise, those inside are. */
function trimDigitsOf(text: string): string {
  const stem = text.replace(/[^\p{L}]+$/u, '')
  return stem
    .replace(/[@4]/g, 'a')
    .replace(/0/g, 'o')
    .replace(/1/g, 'i')
    .replace(/3/g, 'e')
    .replace(/[$5]/g, 's')
    .replace(/7/g, 't')
}
