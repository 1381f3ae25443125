import type { ResolvedProfile } from './profile.ts'

/** Tokens in the target language per character of the source text, by script, with a margin for longer words. */
const tokensPerCharacter: Record<string, number> = { Latn: 0.8, Cyrl: 1, Arab: 1.5 }
/** Hebrew, Chinese, Japanese, Indian scripts, …: few characters per token in most vocabularies. */
const otherTokensPerCharacter = 3
const minTokens = 32

/**
 * Returns the maximum number of tokens in a completion. Undefined for `plain` prompts, whose limit is computed from the tokens of the
 * text: see llama-child.ts.
 */
export function maxCompletionTokens(text: string, target: string, profile: ResolvedProfile): number | undefined {
  const own = profile.tokensPerCharacter
  if (profile.form === 'plain' && own === undefined) return undefined
  const script = new Intl.Locale(target).maximize().script ?? 'Latn'
  const perCharacter = own ?? tokensPerCharacter[script] ?? otherTokensPerCharacter
  return minTokens + Math.ceil(text.length * perCharacter)
}
