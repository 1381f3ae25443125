import { readFileSync } from 'node:fs'
import { listForms } from './guessable-words.ts'

let loading: Promise<Set<string>> | undefined

/**
 * Returns whether the password is a common one in disguise, that is with capitals, digits and punctuation: `P@ssw0rd1!` is `password`,
 * `Aa@123456` is `aa123456`. The list has 49,000 passwords of breaches (@zxcvbn-ts/language-common) and common-passwords.txt.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= loadCommonPasswords()
  const common = await loading
  return listDisguises(password).some((candidate) => common.has(candidate))
}

/** Loads the list at first use: it takes a fifth of a second, which no other command of the product should wait for. */
async function loadCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const ownWords = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
  return new Set([...dictionary['passwords-common'], ...ownWords])
}

/** Returns variants of the password: without punctuation, without what surrounds its letters; each plain and with leet letters read. */
function listDisguises(password: string): string[] {
  const [plain = ''] = listForms(password)
  const stem = plain.replace(/[^\p{L}]+$/u, '')
  return [plain, stem]
    .flatMap(listForms)
    .flatMap((form) => [form, form.replace(/[^\p{L}\p{N}]+/gu, ''), form.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')])
    .filter((candidate) => candidate !== '')
}
