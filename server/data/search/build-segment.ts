import { foldKeyword } from '#contract/keywords/fold.ts'
import { splitWords } from '#contract/search-words.ts'
import { createTimeSlices } from '../time-slices.ts'
import { IndexBlockWriter, type IndexBlock } from './blocks.ts'
import { OccurrenceWriter } from './postings.ts'
import type { StoredLine } from './stored-lines.ts'

/** A segment of one recording is read whole in most searches that it is part of. */
const targetBytes = 128 * 1024
/** Begins the words that stand for what a line is rather than for what it says; no word of a text has it. */
const facet = '\u0001'

/** Returns the word of the index for lines of a speaker. */
export function speakerWord(name: string): string {
  return `${facet}speaker:${foldKeyword(name)}`
}

/** Returns the word of the index for lines in a language. */
export function languageWord(language: string): string {
  return `${facet}language:${language}`
}

/** Returns the blocks of a segment that holds one recording. */
export async function buildSearchSegment(ordinal: number, lines: StoredLine[]): Promise<IndexBlock[]> {
  const pause = createTimeSlices()
  const words = new Map<string, OccurrenceWriter>()
  for (const [number, line] of lines.entries()) {
    indexLine(words, number, line)
    await pause()
  }
  const writer = new IndexBlockWriter(targetBytes)
  for (const word of [...words.keys()].toSorted(compareWords)) {
    const bytes = words.get(word)?.toBytes() ?? Buffer.alloc(0)
    writer.add(word, [{ ordinal, bytes, from: 0, to: bytes.length }])
    await pause()
  }
  writer.finish()
  return writer.blocks
}

/** Compares words by their UTF-16 units, the order of every block. */
export function compareWords(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function indexLine(words: Map<string, OccurrenceWriter>, number: number, { text, speaker, language }: StoredLine) {
  if (speaker !== null) add(words, speakerWord(speaker), number, 0)
  if (language !== null) add(words, languageWord(language), number, 0)
  const last = new Map<string, number>()
  for (const { word, position, span } of splitWords(text)) {
    for (let at = position; at < position + span; at++) {
      // A word whose parts repeat would come twice at one position.
      if ((last.get(word) ?? -1) >= at) continue
      last.set(word, at)
      add(words, word, number, at)
    }
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
