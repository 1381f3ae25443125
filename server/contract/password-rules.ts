import { t } from './texts/t.ts'

/** The forms that set a password, which have different rules: accounts specification, section 5. */
export type PasswordForm = 'registration' | 'reset' | 'change'

/** The minimum number of characters in a new password. */
const minPasswordLength = 8

/** One requirement of a password: `label` for checklists, `message` for a password that does not meet it. */
export interface PasswordRule {
  label: string
  message: string
  isMet: (password: string) => boolean
}

const minLength: PasswordRule = {
  label: t('At least {count, plural, one {# character} other {# characters}}', { count: minPasswordLength }),
  message: t('Password must be at least {count, plural, one {# character} other {# characters}} long', {
    count: minPasswordLength,
  }),
  isMet: (password) => countCharacters(password) >= minPasswordLength,
}
const maxLength: PasswordRule = {
  label: t('At most 128 characters'),
  message: t('Password must be no more than 128 characters long'),
  isMet: (password) => countCharacters(password) <= 128,
}
const uppercase: PasswordRule = {
  label: t('An uppercase letter'),
  message: t('Password must contain at least one uppercase letter'),
  isMet: (password) => /\p{Lu}/u.test(password),
}
const lowercase: PasswordRule = {
  label: t('A lowercase letter'),
  message: t('Password must contain at least one lowercase letter'),
  isMet: (password) => /\p{Ll}/u.test(password),
}
const digit: PasswordRule = {
  label: t('A number'),
  message: t('Password must contain at least one digit'),
  isMet: (password) => /\d/.test(password),
}
const unrepeated: PasswordRule = {
  label: t('No character three times in a row'),
  message: t('Password should not contain repeated characters'),
  isMet: (password) => !/(.)\1\1/su.test(password),
}

/** Registration accepts the special characters of both other forms and all others in ASCII. */
const registrationSpecial = specialRule(t('A special character such as ! @ # $ %'), /[!-/:-@[-`{-~]/)
const resetSpecial = specialRule(t('A special character of @ $ ! % * ? &'), /[@$!%*?&]/)
const changeSpecial = specialRule(t('A special character such as ! @ # $ %'), /[!@#$%^&*(),.?":{}|<>]/)

/** The five checks of the strength meter. Registration requires `minStrength` of them, always including the length. */
export const strengthRules: PasswordRule[] = [minLength, uppercase, lowercase, digit, registrationSpecial]
export const minStrength = 4

/** The rules for a password reset by mail. */
export const resetRules: PasswordRule[] = [minLength, maxLength, lowercase, uppercase, digit, resetSpecial]

/** The rules for a password changed by its user or set by a super admin. */
export const changeRules: PasswordRule[] = [
  minLength,
  maxLength,
  uppercase,
  lowercase,
  digit,
  changeSpecial,
  unrepeated,
]

/** Returns one message for each rule of the form that the password breaks. */
export function passwordErrors(form: PasswordForm, password: string): string[] {
  if (form === 'registration') return registrationErrors(password)
  return brokenRules(form === 'reset' ? resetRules : changeRules, password).map(({ message }) => message)
}

/** Returns how many checks of the strength meter the password passes, 0 to 5. */
export function passwordStrength(password: string): number {
  return strengthRules.length - brokenRules(strengthRules, password).length
}

/** Returns Weak for 2 or less, Fair for 3, Good for 4, Strong for 5 (accounts specification, section 5). */
export function strengthLabel(strength: number): 'Weak' | 'Fair' | 'Good' | 'Strong' {
  if (strength <= 2) return 'Weak'
  if (strength === 3) return 'Fair'
  return strength === 4 ? 'Good' : 'Strong'
}

function registrationErrors(password: string): string[] {
  if (!maxLength.isMet(password)) return [maxLength.message]
  const broken = brokenRules(strengthRules, password)
  const isStrongEnough = minLength.isMet(password) && strengthRules.length - broken.length >= minStrength
  return isStrongEnough ? [] : broken.map(({ message }) => message)
}

function brokenRules(rules: PasswordRule[], password: string): PasswordRule[] {
  return rules.filter(({ isMet }) => !isMet(password))
}

/** Counts code points, so that a letter outside the Basic Multilingual Plane is one character. */
function countCharacters(password: string): number {
  return [...password].length
}

function specialRule(label: string, characters: RegExp): PasswordRule {
  return {
    label,
    message: t('Password must contain at least one special character'),
    isMet: (password) => characters.test(password),
  }
}
