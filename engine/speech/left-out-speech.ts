import { findPauses } from '#engine/audio/find-pauses.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import type { TranscriptLine } from './transcript-line.ts'

/** Decodes a stretch of the channel by itself. */
export type DecodeSpan = (span: SpeechSpan) => Promise<TranscriptLine[]>

const minPauseMs = 360
/** What a model leaves out beside a sentence is a greeting, a farewell, a yes. */
const utteranceMs = { min: 200, max: 1700 }
/** The pace of a speaker is taken from at least so many letters of the lines around. */
const minLetters = 30
/** What stays must be a sentence: so many times as long as the short utterance. */
const minRestRatio = 2
/** A line counts as too short for its sound where letters for so much of the short utterance are missing. */
const minMissingShare = 0.5
/** The edge of a line counts as the same text where at most so many of its letters differ. */
const maxChangedShare = 0.5
/** The text of a short utterance by itself is kept from this confidence on. */
const minConfidence = 0.4

/**
 * Finds short utterances that the model left out of a line. Whisper sometimes writes nothing for a word or two that stand close to a
 * sentence, and puts the sentence's text at the time of both. A line that has too few letters for its sound and a pause near its
 * edge is decoded again in two parts; where the longer part alone has the line's text, both parts take its place.
 *
 * @param lines all lines of one window
 * @param frames RMS of 20 ms frames of the channel
 */
export async function recoverLeftOut(
  lines: TranscriptLine[],
  frames: Float32Array,
  decodeSpan: DecodeSpan,
): Promise<TranscriptLine[]> {
  const recovered: TranscriptLine[] = []
  for (const line of lines) {
    const split = findSuspect(line, { frames, msPerLetter: paceOf(lines.filter((other) => other !== line)) })
    recovered.push(...(split ? await decodeParts(line, split, decodeSpan) : [line]))
  }
  return recovered
}

function paceOf(lines: TranscriptLine[]): number | undefined {
  const letters = lines.reduce((sum, { text }) => sum + lettersOf(text).length, 0)
  const ms = lines.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  return letters >= minLetters ? ms / letters : undefined
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '')
}

interface Split {
  short: SpeechSpan
  rest: SpeechSpan
  /** Letters that the short utterance is expected to have. */
  shortLetters: number
}

/** The short utterance that a line may lack, if its letters are too few for its sound. */
function findSuspect(
  line: TranscriptLine,
  { frames, msPerLetter }: { frames: Float32Array; msPerLetter: number | undefined },
): Split | undefined {
  if (msPerLetter === undefined) return undefined
  const pauses = findPauses(frames, line, minPauseMs)
  const pausesMs = pauses.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  const missingMs = line.endMs - line.startMs - pausesMs - lettersOf(line.text).length * msPerLetter
  for (const pause of pauses) {
    const head = { startMs: line.startMs, endMs: pause.startMs }
    const tail = { startMs: pause.endMs, endMs: line.endMs }
    const [short, rest] = length(head) <= length(tail) ? [head, tail] : [tail, head]
    const isUtterance = length(short) >= utteranceMs.min && length(short) <= utteranceMs.max
    const isBesideSentence = length(rest) >= length(short) * minRestRatio
    if (isUtterance && isBesideSentence && missingMs >= length(short) * minMissingShare) {
      return { short, rest, shortLetters: Math.round(length(short) / msPerLetter) }
    }
  }
  return undefined
}

function length({ startMs, endMs }: SpeechSpan): number {
  return endMs - startMs
}

async function decodeParts(line: TranscriptLine, split: Split, decodeSpan: DecodeSpan): Promise<TranscriptLine[]> {
  const rest = await decodeSpan(split.rest)
  const restText = rest.map(({ text }) => text).join(' ')
  const isHead = split.short.startMs < split.rest.startMs
  if (rest.length === 0 || !hasSameEdge(line.text, restText, { isHead, letters: split.shortLetters })) return [line]
  const short = (await decodeSpan(split.short)).filter(({ confidence }) => (confidence ?? 0) >= minConfidence)
  return isHead ? [...short, ...rest] : [...rest, ...short]
}

/** Whether two texts begin, or end, with nearly the same letters. */
function hasSameEdge(a: string, b: string, { isHead, letters }: { isHead: boolean; letters: number }): boolean {
  const edge = (text: string) => (isHead ? lettersOf(text).slice(0, letters) : lettersOf(text).slice(-letters))
  return editDistance(edge(a), edge(b)) <= letters * maxChangedShare
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...b].entries()) {
      const substituted = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(substituted, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
