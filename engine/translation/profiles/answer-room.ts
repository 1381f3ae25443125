import type { ResolvedProfile } from './profile.ts'

/** Tokens that a character of the source may take in the target language, by script, with a margin for longer words. */
const tokensPerCharacter: Record<string, number> = { Latn: 0.8, Cyrl: 1, Arab: 1.5 }
/** Hebrew, Chinese, Japanese, Indian scripts, …: few characters a token in most vocabularies. */
const otherTokensPerCharacter = 3
const leastTokens = 32

/**
 * Most tokens that the answer to `text` may take. Undefined for `plain` prompts, whose models count by tokens of their own
 * vocabulary: see llama-child.ts.
 */
export function answerRoom(text: string, target: string, profile: ResolvedProfile): number | undefined {
  const own = profile.tokensPerCharacter
  if (profile.form === 'plain' && own === undefined) return undefined
  const script = new Intl.Locale(target).maximize().script ?? 'Latn'
  const perCharacter = own ?? tokensPerCharacter[script] ?? otherTokensPerCharacter
  return leastTokens + Math.ceil(text.length * perCharacter)
}
