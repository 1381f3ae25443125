import { readFileSync } from 'node:fs'
import { formsOf } from './guessable-words.ts'

let loading: Promise<Set<string>> | undefined

/**
 * Whether the password is a common one behind its capitals, digits and signs: `P@ssw0rd1!` is `password`, `Aa@123456` is
 * `aa123456`. The list is 49,000 passwords of breaches, most used first (@zxcvbn-ts/language-common), and common-passwords.txt.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= loadCommonPasswords()
  const common = await loading
  return disguisesOf(password).some((candidate) => common.has(candidate))
}

/** Loaded at first use: it takes a fifth of a second, which no other command of the product should wait for. */
async function loadCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const ownWords = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
  return new Set([...dictionary['passwords-common'], ...ownWords])
}

/** The password, without signs, without what stands before and after its letters; each as it is and with disguised letters. */
function disguisesOf(password: string): string[] {
  const [plain = ''] = formsOf(password)
  const stem = plain.replace(/[^\p{L}]+$/u, '')
  return [plain, stem]
    .flatMap(formsOf)
    .flatMap((form) => [form, form.replace(/[^\p{L}\p{N}]+/gu, ''), form.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')])
    .filter((candidate) => candidate !== '')
}
