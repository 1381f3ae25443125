/** One thing a password must have. `label` for checklists, `fault` for what to say when it lacks it. */
export interface PasswordRule {
  label: string
  fault: string
  isMet: (password: string) => boolean
}

const upper: PasswordRule = {
  label: 'An uppercase letter',
  fault: 'Password must contain at least one uppercase letter',
  isMet: (password) => /\p{Lu}/u.test(password),
}
const lower: PasswordRule = {
  label: 'A lowercase letter',
  fault: 'Password must contain at least one lowercase letter',
  isMet: (password) => /\p{Ll}/u.test(password),
}
const digit: PasswordRule = {
  label: 'A number',
  fault: 'Password must contain at least one digit',
  isMet: (password) => /\d/.test(password),
}
const special: PasswordRule = {
  label: 'A special character such as ! @ # $ %',
  fault: 'Password must contain at least one special character',
  isMet: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password),
}
const atLeast8: PasswordRule = {
  label: 'At least 8 characters',
  fault: 'Password must be at least 8 characters long',
  isMet: (password) => password.length >= 8,
}
const atMost128: PasswordRule = {
  label: 'At most 128 characters',
  fault: 'Password must be no more than 128 characters long',
  isMet: (password) => password.length <= 128,
}
const noRepeats: PasswordRule = {
  label: 'No character three times in a row',
  fault: 'Password should not contain repeated characters',
  isMet: (password) => !/(.)\1\1/su.test(password),
}

/** The five checks of the strength meter (accounts specification, section 5, "Registration"). */
export const strengthRules: PasswordRule[] = [atLeast8, upper, lower, digit, special]

/** Rules of a changed password, in the order their messages are listed (accounts specification, section 5). */
export const changeRules: PasswordRule[] = [atLeast8, atMost128, upper, lower, digit, special, noRepeats]

/** Rules of a reset password; its special characters are a smaller set (accounts specification, section 5). */
export const resetRules: PasswordRule[] = [
  atLeast8,
  lower,
  upper,
  { ...digit, fault: 'Password must contain at least one number' },
  {
    label: 'A special character of @ $ ! % * ? &',
    fault: 'Password must contain at least one special character (@$!%*?&)',
    isMet: (password) => /[@$!%*?&]/.test(password),
  },
]

/** The faults of `password`, one sentence each, in the rules' order. */
export function faultsOf(password: string, rules: PasswordRule[]): string[] {
  return rules.filter((rule) => !rule.isMet(password)).map((rule) => rule.fault)
}

/** Checks passed, 0 to 5. */
export function strengthOf(password: string): number {
  return strengthRules.filter((rule) => rule.isMet(password)).length
}

/** The least score a registration needs (accounts specification, section 9). */
export const strengthThreshold = 4

/** Weak for 2 or less, Fair for 3, Good for 4, Strong for 5 (accounts specification, section 5). */
export function strengthLabel(score: number): 'Weak' | 'Fair' | 'Good' | 'Strong' {
  if (score <= 2) return 'Weak'
  if (score === 3) return 'Fair'
  return score === 4 ? 'Good' : 'Strong'
}
