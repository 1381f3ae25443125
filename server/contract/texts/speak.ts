import type { LoadedTexts } from './t.ts'

/**
 * Returns what `say` returns while t() speaks the language of `texts`; English where they are undefined. `say` is synchronous, so that nothing else
 * speaks meanwhile. For mails: the server itself speaks English.
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
