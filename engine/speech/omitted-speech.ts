import { findPauses } from '#engine/audio/find-pauses.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { hasSameStartOrEnd, lettersOf } from './compare-letters.ts'
import type { TranscriptLine } from './transcript-line.ts'

/** Transcribes a span of the channel by itself. */
export type DecodeSpan = (span: SpeechSpan) => Promise<TranscriptLine[]>

const minPauseMs = 360
/** Length of the utterances that models omit next to a sentence: a greeting, a farewell, a "yes". */
const utteranceMs = { min: 200, max: 1700 }
/** Minimum number of letters in the other lines for an estimate of the speaking rate. */
const minLetters = 30
/** The rest must be a sentence: at least this many times as long as the short utterance. */
const minRestRatio = 2
/** A line is too short for its audio if it lacks the letters for this share of the short utterance. */
const minMissingShare = 0.5
/** Minimum confidence of a short utterance that is transcribed by itself. */
const minConfidence = 0.4

/**
 * Recovers short utterances that the model omitted from a line. Whisper sometimes writes nothing for a word or two close to a sentence,
 * and gives the text of the sentence the time of both. A line with too few letters for its audio and a pause near its start or end is
 * transcribed again in two parts; if the longer part by itself yields the text of the line, both parts replace it.
 *
 * @param lines all lines of one window
 * @param frames RMS of 20 ms frames of the channel
 */
export async function recoverOmittedSpeech(
  lines: TranscriptLine[],
  frames: Float32Array,
  decodeSpan: DecodeSpan,
): Promise<TranscriptLine[]> {
  const recovered: TranscriptLine[] = []
  for (const line of lines) {
    const split = findOmission(line, {
      frames,
      msPerLetter: measureMsPerLetter(lines.filter((other) => other !== line)),
    })
    recovered.push(...(split ? await transcribeParts(line, split, decodeSpan) : [line]))
  }
  return recovered
}

function measureMsPerLetter(lines: TranscriptLine[]): number | undefined {
  const letters = lines.reduce((sum, { text }) => sum + lettersOf(text).length, 0)
  const ms = lines.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  return letters >= minLetters ? ms / letters : undefined
}

interface Split {
  short: SpeechSpan
  rest: SpeechSpan
  /** Expected number of letters of the short utterance. */
  shortLetters: number
}

/** Returns the short utterance that the line probably lacks, if it has too few letters for its audio. */
function findOmission(
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
    const isNextToSentence = length(rest) >= length(short) * minRestRatio
    if (isUtterance && isNextToSentence && missingMs >= length(short) * minMissingShare) {
      return { short, rest, shortLetters: Math.round(length(short) / msPerLetter) }
    }
  }
  return undefined
}

function length({ startMs, endMs }: SpeechSpan): number {
  return endMs - startMs
}

async function transcribeParts(line: TranscriptLine, split: Split, decodeSpan: DecodeSpan): Promise<TranscriptLine[]> {
  const rest = await decodeSpan(split.rest)
  const restText = rest.map(({ text }) => text).join(' ')
  const isHead = split.short.startMs < split.rest.startMs
  if (rest.length === 0 || !hasSameStartOrEnd(line.text, restText, { isStart: isHead, letters: split.shortLetters }))
    return [line]
  const short = (await decodeSpan(split.short)).filter(({ confidence }) => (confidence ?? 0) >= minConfidence)
  return isHead ? [...short, ...rest] : [...rest, ...short]
}
