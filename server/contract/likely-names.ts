import { z } from 'zod'
import { t } from './texts/t.ts'

export const maxNames = 40
export const maxNameCharacters = 60

const Name = z
  .string()
  .trim()
  .max(maxNameCharacters, {
    error: () =>
      t('A name has at most {count, plural, one {# character} other {# characters}}', { count: maxNameCharacters }),
  })
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, t('A name has no line breaks or other control characters'))

/**
 * Names of people and places that are likely to be spoken, each once and in the order given. They go to the model as a prompt, so they
 * are off by default: a prompt of ordinary words makes some languages much worse.
 */
export const LikelyNames = z
  .array(Name)
  .max(maxNames, {
    error: () => t('There are at most {count, plural, one {# name} other {# names}}', { count: maxNames }),
  })
  .transform((names) => [...new Set(names.filter((name) => name !== ''))])
export type LikelyNames = z.infer<typeof LikelyNames>

/** Separators between names in a line of text: Latin and Arabic commas and semicolons. */
export const nameSeparators = [',', '،', ';', '؛']

/** Returns the names in a line of text, untrimmed, without empty ones. */
export function splitNames(text: string): string[] {
  return text.split(new RegExp(`[${nameSeparators.join('')}]`, 'u')).filter((name) => name.trim() !== '')
}
