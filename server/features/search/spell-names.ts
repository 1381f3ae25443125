import { chooseClosest, type FoundSpelling } from '#contract/name-sounds/choose-spellings.ts'
import { compareNames, type ComparedSound } from '#contract/name-sounds/name-sound.ts'
import { addSpellings, listWantedNames, type WantedName } from '#contract/name-sounds/names-in-query.ts'
import { soundOfName, type NameForm } from '#contract/name-sounds/names-in-text.ts'
import { searchKeys } from '#contract/name-sounds/sound-key.ts'
import type { SearchQuery } from '#contract/search-query.ts'
import type { OpenIndex } from '#data/search/index-reader.ts'
import type { IndexedName } from '#data/search/listed-names.ts'
import type { SearchableRecordings } from '#data/search/searchable-recordings.ts'
import { createTimeSlices } from '#data/time-slices.ts'

/** Pausing takes longer than comparing one name. */
const comparedBetweenPauses = 64

/** A query as typed, and with the other spellings of its names that occur in lines and in the names of recordings. */
export interface ShownQueries {
  typed: SearchQuery
  inLines: SearchQuery
  inNames: SearchQuery
}

/** A name of the query with its other spellings. */
export interface FoundSpellings {
  name: WantedName
  /** Closest first. */
  inLines: IndexedName[]
  inNames: NameForm[]
}

/**
 * The sounds of the names compared most recently are kept, between this many and twice as many: those with the same key are compared again
 * and again.
 */
const maxKnownSounds = 120_000

/** Creates the finder of other spellings of a query's names in an owner's recordings. */
export function createSpellingFinder(recordings: SearchableRecordings) {
  let known = new Map<string, ComparedSound | null>()
  // Forgotten all at once: finding the oldest entry of a Map takes longer the more entries have been deleted.
  let knownBefore = known

  /** Returns how a name sounds, reduced to what is compared, because thousands are kept. Null if it cannot be a name. */
  function describe(text: string): ComparedSound | null {
    let sound = known.get(text)
    if (sound !== undefined) return sound
    sound = knownBefore.get(text)
    if (sound === undefined) {
      const found = soundOfName(text.split(' '))
      sound = found ? { script: found.script, encoded: found.encoded, strength: found.strength } : null
    }
    known.set(text, sound)
    if (known.size > maxKnownSounds) {
      knownBefore = known
      known = new Map()
    }
    return sound
  }

  /** Compares a name with all names whose sound has the same key; other requests are served meanwhile. */
  async function chooseAmong({ words, sound }: WantedName, texts: Iterable<string>): Promise<string[]> {
    const typed = words.join(' ')
    const pause = createTimeSlices()
    const found: FoundSpelling[] = []
    let compared = 0
    for (const text of texts) {
      const other = text === typed ? null : describe(text)
      const distance = other ? compareNames(sound, other) : undefined
      if (distance !== undefined) found.push({ text, distance })
      compared += 1
      if (compared % comparedBetweenPauses === 0) await pause()
    }
    return chooseClosest(found)
  }

  return async (
    index: OpenIndex,
    query: SearchQuery,
    { ownerId, maxBytes }: { ownerId: string; maxBytes: number },
  ): Promise<FoundSpellings[]> => {
    const names = listWantedNames(query)
    const keys = names.map(({ sound }) => searchKeys(sound))
    const indexed = await index.listNames(keys, { maxBytes })
    const found: FoundSpellings[] = []
    for (const [at, name] of names.entries()) {
      const listed = indexed[at]
      const inLines = listed ? await chooseAmong(name, listed.names) : []
      const inRecordings = recordings.listNames(ownerId, keys[at] ?? []).map((form) => form.join(' '))
      found.push({
        name,
        inLines: inLines.flatMap((text) => listed?.describe(text) ?? []),
        inNames: (await chooseAmong(name, inRecordings)).map((text) => text.split(' ')),
      })
    }
    return found
  }
}

/** Returns the query with the spellings that were found. */
export function spellQuery(typed: SearchQuery, found: FoundSpellings[]): ShownQueries {
  if (found.length === 0) return { typed, inLines: typed, inNames: typed }
  const inLines = found.map(({ name, inLines: spelled }) => ({ name, spellings: spelled.map(({ form }) => form) }))
  const inNames = found.map(({ name, inNames: spellings }) => ({ name, spellings }))
  return { typed, inLines: addSpellings(typed, inLines), inNames: addSpellings(typed, inNames) }
}

/** Returns the words that only other spellings contain, with the ids of segments in which none of these spellings occurs. */
export function findSegmentsWithoutWords(
  { terms, excluded }: SearchQuery,
  found: FoundSpellings[],
): Map<string, Set<string>> {
  const words = new Map<string, Set<string>>()
  for (const { form, findSegmentsWithout } of found.flatMap(({ inLines }) => inLines)) {
    const missing = findSegmentsWithout()
    for (const word of form) words.set(word, new Set([...missing].filter((id) => words.get(word)?.has(id) ?? true)))
  }
  const typed = [...terms, ...excluded].flatMap((term) => term.words.flatMap(({ forms }) => forms.flat()))
  for (const word of typed) words.delete(word)
  return words
}
