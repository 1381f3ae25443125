import type { LoadedTexts } from './t.ts'

/**
 * Returns the result of `say`, during which t() uses the language of `texts`, or English if undefined. `say` is synchronous, so that
 * nothing else uses that language in the meantime. For mails: the server itself uses English.
 */
export function speak<Result>(texts: LoadedTexts | undefined, say: () => Result): Result {
  const before = globalThis.awazTexts
  globalThis.awazTexts = texts
  try {
    return say()
  } finally {
    globalThis.awazTexts = before
  }
}
