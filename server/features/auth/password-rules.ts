import { isCommonPassword } from './common-passwords.ts'
import {
  containsOwnName,
  installationWords,
  isMadeOfWords,
  withoutWords,
  type PasswordOwner,
} from './guessable-words.ts'

/** The forms of the product ask for different things: accounts specification, section 5. */
export type PasswordForm = 'registration' | 'reset' | 'change'

interface Check {
  isMet: (password: string) => boolean
  message: string
}

const tooCommon = 'Password is too common. Please choose one that is harder to guess'
const tooPersonal = 'Password contains your own name or address. Please choose one that is harder to guess'
const tooExpected = 'Password is made of words expected here. Please choose one that is harder to guess'
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

/** What is easy to guess about this installation beside the product's own words. */
interface PasswordSettings {
  publicUrl: string
  mailFrom: string
  /** Names of the organisation, its projects and departments. */
  passwordWords: string[]
}

/** The rules of new passwords: those of each form, and that nobody can guess them who knows the owner or this place. */
export function createPasswordRules({ publicUrl, mailFrom, passwordWords }: PasswordSettings) {
  const words = installationWords({ addresses: [publicUrl, mailFrom], extraWords: passwordWords })

  /** The faults of a new password, one sentence each, none when it may be used (ASVS 5, 6.2.4, 6.2.11, 6.2.12). */
  async function faults(form: PasswordForm, password: string, owner: PasswordOwner): Promise<string[]> {
    const ofForm = formFaults(form, password)
    if (ofForm.length > 0) return ofForm
    if (containsOwnName(password, owner)) return [tooPersonal]
    if (await isCommonPassword(password)) return [tooCommon]
    if (isMadeOfWords(password, words, owner)) return [tooExpected]
    const rest = withoutWords(password, words)
    return rest !== undefined && (await isCommonPassword(rest)) ? [tooExpected] : []
  }

  return { faults }
}

export type PasswordRules = ReturnType<typeof createPasswordRules>

/**
 * What a form asks for (accounts specification, section 5). Registration takes 8 or more characters and four of five checks; reset
 * takes all five; change, and the super admin's reset, also refuse a character three times in a row.
 */
export function formFaults(form: PasswordForm, password: string): string[] {
  return form === 'registration' ? registrationFaults(password) : failed(strict[form], password)
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
