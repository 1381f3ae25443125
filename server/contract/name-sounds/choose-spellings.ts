import { compareNames, type NameSound } from './name-sound.ts'
import type { WantedName } from './names-in-query.ts'
import type { NameForm } from './names-in-text.ts'

/** More spellings of one name are hardly ever in use, and each costs a search time. */
const maxSpellings = 24

/** A form that may be another spelling, with its sound. */
export interface SpellingCandidate {
  form: NameForm
  sound: NameSound
}

/** Another spelling of a name, with how much it differs. */
export interface FoundSpelling {
  form: NameForm
  distance: number
}

/** Returns the candidate where it is another spelling of a name. */
export function compareSpelling({ words, sound }: WantedName, candidate: SpellingCandidate): FoundSpelling | undefined {
  const { form } = candidate
  const distance = form.join(' ') === words.join(' ') ? undefined : compareNames(sound, candidate.sound)
  return distance === undefined ? undefined : { form, distance }
}

/** Returns the spellings that differ least, in this order: as many as are looked for. */
export function chooseClosest(found: readonly FoundSpelling[]): NameForm[] {
  return found
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, maxSpellings)
    .map(({ form }) => form)
}
