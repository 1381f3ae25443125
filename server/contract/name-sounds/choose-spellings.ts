import { compareNames } from './name-sound.ts'
import type { WantedName } from './names-in-query.ts'
import type { NameSound } from './name-sound.ts'
import type { NameForm } from './names-in-text.ts'

/** More spellings of one name are hardly ever in use, and each costs a search time. */
const maxSpellings = 24

/** A form that may be another spelling, with its sound. */
export interface SpellingCandidate {
  form: NameForm
  sound: NameSound
}

/** Returns those of the candidates that are other spellings of a name, the closest first. */
export function chooseSpellings({ words, sound }: WantedName, candidates: Iterable<SpellingCandidate>): NameForm[] {
  const typed = words.join(' ')
  const found: { form: NameForm; distance: number }[] = []
  for (const { form, sound: other } of candidates) {
    const distance = form.join(' ') === typed ? undefined : compareNames(sound, other)
    if (distance !== undefined) found.push({ form, distance })
  }
  return found
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, maxSpellings)
    .map(({ form }) => form)
}
