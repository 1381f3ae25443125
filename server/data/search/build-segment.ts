import { foldKeyword } from '#contract/keywords/fold.ts'
import { listNameForms, soundOfName, type NameForm } from '#contract/name-sounds/names-in-text.ts'
import { storedKeys } from '#contract/name-sounds/sound-key.ts'
import { splitWords } from '#contract/search-words.ts'
import { createTimeSlices } from '../time-slices.ts'
import { IndexBlockWriter, type IndexBlock } from './blocks.ts'
import { OccurrenceWriter } from './postings.ts'
import type { StoredLine } from './stored-lines.ts'

/** Large, because most searches involving a segment of one recording read all of it. */
const targetBytes = 128 * 1024
/** Prefix of words that describe a line rather than its content; no word of a text contains it. */
const facet = '\u0001'
/** Prefix of words that list possible names by sound. Sorts after all others, so that these are found as quickly as without it. */
const sound = '\ue000'

/** Returns the index word for lines of a speaker. */
export function speakerWord(name: string): string {
  return `${facet}speaker:${foldKeyword(name)}`
}

/** Returns the index word for lines in a language. */
export function languageWord(language: string): string {
  return `${facet}language:${language}`
}

/** Returns the prefix of index words that list possible names with a sound key (see storedKeys). */
export function soundPrefix(key: string): string {
  return `${sound}${key}${sound}`
}

/**
 * Returns the name if an index word lists a single-word name by its sound. Such a word has no postings: those of the name itself show
 * which recordings contain it.
 */
export function nameOfOneWord(word: string): string | undefined {
  if (!word.startsWith(sound)) return undefined
  const name = word.slice(word.indexOf(sound, 1) + 1)
  return name.includes(' ') ? undefined : name
}

/** Returns the blocks of a segment that holds one recording. */
export async function buildSearchSegment(ordinal: number, lines: StoredLine[]): Promise<IndexBlock[]> {
  const pause = createTimeSlices()
  const words = new Map<string, OccurrenceWriter>()
  const names = new Map<string, NameForm>()
  for (const [number, line] of lines.entries()) {
    for (const form of indexLine(words, number, line)) names.set(form.join(' '), form)
    await pause()
  }
  indexNames(words, names.values())
  const writer = new IndexBlockWriter(targetBytes)
  for (const word of [...words.keys()].toSorted(compareWords)) {
    const bytes = words.get(word)?.toBytes() ?? Buffer.alloc(0)
    writer.add(word, nameOfOneWord(word) === undefined ? [{ ordinal, bytes, from: 0, to: bytes.length }] : [])
    await pause()
  }
  writer.finish()
  return writer.blocks
}

/** Compares words by UTF-16 units, the order within every block. */
export function compareWords(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Adds the words of a line. Returns the possible names in it. */
function indexLine(
  words: Map<string, OccurrenceWriter>,
  number: number,
  { text, speaker, language }: StoredLine,
): NameForm[] {
  if (speaker !== null) add(words, speakerWord(speaker), number, 0)
  if (language !== null) add(words, languageWord(language), number, 0)
  const last = new Map<string, number>()
  const spoken = splitWords(text)
  for (const { word, position, span } of spoken) {
    for (let at = position; at < position + span; at++) {
      // A word with repeated parts would otherwise occur twice at one position.
      if ((last.get(word) ?? -1) >= at) continue
      last.set(word, at)
      add(words, word, number, at)
    }
  }
  return listNameForms(text, spoken)
}

/** Lists names by sound, as words without occurrences: the words of a name have those. */
function indexNames(words: Map<string, OccurrenceWriter>, forms: Iterable<NameForm>): void {
  for (const form of forms) {
    const name = soundOfName(form)
    if (!name) continue
    for (const key of storedKeys(name)) words.set(`${soundPrefix(key)}${form.join(' ')}`, new OccurrenceWriter())
  }
}

function add(words: Map<string, OccurrenceWriter>, word: string, line: number, position: number): void {
  let writer = words.get(word)
  if (!writer) {
    writer = new OccurrenceWriter()
    words.set(word, writer)
  }
  writer.add(line, position)
}
