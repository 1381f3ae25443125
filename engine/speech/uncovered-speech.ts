import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import { hasSameStartOrEnd, lettersOf } from './compare-letters.ts'
import type { TranscriptLine } from './transcript-line.ts'

/** A passage of speech longer than this gets text or a warning that it has none: the detector finds up to 0.3 s less than was spoken. */
const minPassageMs = 700
/** Minimum confidence of a passage that is transcribed by itself, if the engine reports confidence. */
const minConfidence = 0.4
/** Fewer letters would resemble any text: a short answer is a separate line. */
const minComparedLetters = 8
/** No one speaks more letters per second: fast speakers reach 25. */
const maxLettersPerSecond = 40
/**
 * Words that last less than this on average lie outside the detected speech and were moved to its edge. In 999 lines of calls, words that
 * were said had 73 ms or more, and words for remnants of bleed had up to 50 ms.
 */
const minWordMs = 60

/** Returns the longer passages of a window's speech that no line covers, in milliseconds of the recording. */
export function findUncovered({ pieces }: SpeechWindow, lines: readonly SpeechSpan[]): SpeechSpan[] {
  return pieces
    .flatMap(({ speechStartMs, speechEndMs }) => subtract({ startMs: speechStartMs, endMs: speechEndMs }, lines))
    .filter(({ startMs, endMs }) => endMs - startMs > minPassageMs)
}

function subtract(span: SpeechSpan, covering: readonly SpeechSpan[]): SpeechSpan[] {
  const rest: SpeechSpan[] = []
  let atMs = span.startMs
  for (const { startMs, endMs } of covering.toSorted((a, b) => a.startMs - b.startMs)) {
    if (endMs <= span.startMs || startMs >= span.endMs) continue
    if (startMs > atMs) rest.push({ startMs: atMs, endMs: startMs })
    atMs = Math.max(atMs, endMs)
  }
  return atMs < span.endMs ? [...rest, { startMs: atMs, endMs: span.endMs }] : rest
}

/**
 * Whether a line says more than its own time or the time of its words allows: the model wrote a sentence for which no sound is left,
 * usually one that was said elsewhere in the window, or a word for a remnant of bleed.
 */
export function isImpossibleLine({ startMs, endMs, text, words }: TranscriptLine): boolean {
  const spokenMs = words.reduce((sum, word) => sum + word.endMs - word.startMs, 0)
  return lettersOf(text).length * 1000 > maxLettersPerSecond * (endMs - startMs) || spokenMs < minWordMs * words.length
}

/**
 * Transcribes separately the speech that the model left out of a window. A passage with the same words as the start of the next line or the
 * end of the previous line belongs to that line, whose times were wrong. Returns all lines in order of time.
 *
 * @param lines all lines of one window
 * @param gaps passages in which the decoder only looped, even when decoding them separately
 * @param decodeSpan transcribes a span without the sound outside the bounds
 */
export async function transcribeUncovered(
  lines: readonly TranscriptLine[],
  { window, gaps, decodeSpan }: UncoveredOptions,
): Promise<TranscriptLine[]> {
  const completed = lines.map((line) => ({ ...line }))
  for (const passage of findUncovered(window, [...lines, ...gaps])) {
    const { before, after } = findNeighbours(completed, passage)
    const bounds = boundsOf(passage, { window, before, after })
    const decoded = await decodeSpan(passage, bounds)
    const found = decoded.filter((line) => (line.confidence ?? 1) >= minConfidence && !isImpossibleLine(line))
    const text = found.map((line) => line.text).join(' ')
    const isLong = lettersOf(text).length >= minComparedLetters
    const letters = lettersOf(text).length
    if (isLong && after && hasSameStartOrEnd(after.text, text, { isStart: true, letters })) {
      after.startMs = passage.startMs
    } else if (isLong && before && hasSameStartOrEnd(before.text, text, { isStart: false, letters })) {
      before.endMs = passage.endMs
    } else {
      completed.push(...found)
    }
  }
  return completed.toSorted((a, b) => a.startMs - b.startMs)
}

interface UncoveredOptions {
  window: SpeechWindow
  gaps: readonly SpeechSpan[]
  decodeSpan: (span: SpeechSpan, bounds: SpeechSpan) => Promise<TranscriptLine[]>
}

interface Neighbours {
  /** The line that ends last before the passage. */
  before: TranscriptLine | undefined
  /** The line that begins first after the passage. */
  after: TranscriptLine | undefined
}

function findNeighbours(lines: readonly TranscriptLine[], passage: SpeechSpan): Neighbours {
  const before = lines.filter(({ endMs }) => endMs <= passage.startMs).toSorted((a, b) => b.endMs - a.endMs)
  const after = lines.filter(({ startMs }) => startMs >= passage.endMs).toSorted((a, b) => a.startMs - b.startMs)
  return { before: before[0], after: after[0] }
}

/** Returns the passage with the silence around it, but without words of a neighbor or sound that the window leaves out. */
function boundsOf(passage: SpeechSpan, { window, before, after }: Neighbours & { window: SpeechWindow }): SpeechSpan {
  const piece = window.pieces.find(
    ({ speechStartMs, speechEndMs }) => speechStartMs <= passage.startMs && passage.endMs <= speechEndMs,
  )
  return {
    startMs: Math.max(piece?.sourceStartMs ?? passage.startMs, before?.endMs ?? 0),
    endMs: Math.min(piece?.sourceEndMs ?? passage.endMs, after?.startMs ?? Number.POSITIVE_INFINITY),
  }
}
