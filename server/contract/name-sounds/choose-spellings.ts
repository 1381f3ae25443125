import { compareNames } from './name-sound.ts'
import type { WantedName } from './names-in-query.ts'
import { soundOfName, type NameForm } from './names-in-text.ts'

/** More spellings of one name are hardly ever in use, and each costs a search time. */
const maxSpellings = 24

/** Returns those of the candidates that are other spellings of a name, the closest first. */
export function chooseSpellings({ words, sound }: WantedName, candidates: Iterable<NameForm>): NameForm[] {
  const typed = words.join(' ')
  const found: { form: NameForm; distance: number }[] = []
  for (const form of candidates) {
    const other = form.join(' ') === typed ? undefined : soundOfName(form)
    const distance = other && compareNames(sound, other)
    if (distance !== undefined) found.push({ form, distance })
  }
  return found
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, maxSpellings)
    .map(({ form }) => form)
}
