import type { AlsoSpelled } from '#contract/endpoints/search.ts'
import type { NameForm } from '#contract/name-sounds/names-in-text.ts'
import type { IndexedName } from '#data/search/listed-names.ts'
import type { SearchableRecording } from '#data/search/searchable-recordings.ts'
import type { RecordingMatch } from './match-recording.ts'
import type { ReadQuery } from './read-query.ts'
import type { FoundSpellings } from './spell-names.ts'

/**
 * Returns the other spellings of each name that occur in recordings with a match. Spellings from other recordings, or from recordings that
 * are gone, are left out.
 */
export function listSpellings(
  found: FoundSpellings[],
  matches: { recording: SearchableRecording; match: RecordingMatch }[],
  { occurrencesOf }: Pick<ReadQuery, 'occurrencesOf'>,
): AlsoSpelled[] {
  const ordinals = new Set(matches.map(({ recording }) => recording.ordinal))
  const words = new Set(
    matches.flatMap(({ recording, match }) => (match.isNameFound ? recording.nameWords.map(({ word }) => word) : [])),
  )
  const isMatched = ({ form, readOrdinals }: IndexedName) => {
    const [only = ''] = form
    return (form.length === 1 ? [...occurrencesOf(only).keys()] : readOrdinals()).some((ordinal) =>
      ordinals.has(ordinal),
    )
  }
  return found.flatMap(({ name, inLines, inNames }) => {
    const forms = [
      ...inLines.filter(isMatched).map(({ form }) => form),
      ...inNames.filter((form) => form.every((word) => words.has(word))),
    ]
    const spellings = [...new Set(forms.map(toText))]
    return spellings.length > 0 ? [{ name: name.text, spellings }] : []
  })
}

function toText(form: NameForm): string {
  return form.join(' ')
}
