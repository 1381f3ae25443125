import { readFileSync } from 'node:fs'
import { passwordErrors, type PasswordForm } from '#contract/password-rules.ts'
import { invalidInput } from '#server/http/parse.ts'
import {
  containsOwnName,
  installationWords,
  isMadeOfWords,
  listForms,
  type PasswordOwner,
  withoutWords,
} from './guessable-words.ts'

let loading: Promise<Set<string>> | undefined

/**
 * Returns whether the password is a common one disguised with capitals, digits and punctuation: `P@ssw0rd1!` is `password`, `Aa@123456` is
 * `aa123456`. The list combines 49,000 breached passwords (@zxcvbn-ts/language-common) with common-passwords.txt.
 */
async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= loadCommonPasswords()
  const common = await loading
  return listDisguises(password).some((candidate) => common.has(candidate))
}

/** Loads the list on first use: this takes a fifth of a second, which no other command of the product should have to wait for. */
async function loadCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const ownWords = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
  return new Set([...dictionary['passwords-common'], ...ownWords])
}

/** Returns variants of the password: without punctuation, without what surrounds its letters; each as it is and with leetspeak decoded. */
function listDisguises(password: string): string[] {
  const [plain = ''] = listForms(password)
  const stem = plain.replace(/[^\p{L}]+$/u, '')
  return [plain, stem]
    .flatMap(listForms)
    .flatMap((form) => [form, form.replace(/[^\p{L}\p{N}]+/gu, ''), form.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')])
    .filter((candidate) => candidate !== '')
}

const tooCommon = 'Password is too common. Please choose one that is harder to guess'
const tooPersonal = 'Password contains your own name or address. Please choose one that is harder to guess'
const tooExpected = 'Password is made of words expected here. Please choose one that is harder to guess'

/** What makes passwords of this installation guessable, in addition to the product's own words. */
interface PasswordSettings {
  publicUrl: string
  mailFrom: string
  /** Names of the organisation, its projects and departments. */
  passwordWords: string[]
}

/** The rules for new passwords: those of each form, and that people who know the owner or the organisation cannot guess them. */
export function createPasswordPolicy({ publicUrl, mailFrom, passwordWords }: PasswordSettings) {
  const words = installationWords({ addresses: [publicUrl, mailFrom], extraWords: passwordWords })

  /** Returns one message for each rule that a new password breaks, none if it is allowed (ASVS 5, 6.2.4, 6.2.11, 6.2.12). */
  async function listErrors(form: PasswordForm, password: string, owner: PasswordOwner): Promise<string[]> {
    const formErrors = passwordErrors(form, password)
    if (formErrors.length > 0) return formErrors
    if (containsOwnName(password, owner)) return [tooPersonal]
    if (await isCommonPassword(password)) return [tooCommon]
    if (isMadeOfWords(password, words, owner)) return [tooExpected]
    const rest = withoutWords(password, words)
    return rest !== undefined && (await isCommonPassword(rest)) ? [tooExpected] : []
  }

  /** Throws `invalid_input` for the form's new password field unless the password is allowed. */
  async function assertAllowed(form: PasswordForm, password: string, owner: PasswordOwner): Promise<void> {
    const errors = await listErrors(form, password, owner)
    if (errors.length > 0) throw invalidInput(errors, form === 'registration' ? 'password' : 'new_password')
  }

  return { listErrors, assertAllowed }
}

export type PasswordPolicy = ReturnType<typeof createPasswordPolicy>
