import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import { hasSameStartOrEnd, lettersOf } from './compare-letters.ts'
import type { TranscriptLine } from './transcript-line.ts'

/** A passage of speech longer than this has text, or a warning says that it has none. */
const minPassageMs = 1000
/** Minimum confidence of a passage that is transcribed on its own, where the engine reports one. */
const minConfidence = 0.4
/** Nobody says more letters in a second: fast speakers say 25. */
const maxLettersPerSecond = 40

/** Returns the passages of a window's speech of more than a second that no line covers, in milliseconds of the recording. */
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
 * Whether a line says more than its time allows: the model wrote a sentence for which no sound is left, mostly one that was said elsewhere
 * in the window.
 */
export function isImpossible({ startMs, endMs, text }: Pick<TranscriptLine, 'startMs' | 'endMs' | 'text'>): boolean {
  return lettersOf(text).length * 1000 > maxLettersPerSecond * (endMs - startMs)
}

/**
 * Transcribes the speech that the model left out of a window on its own. A passage whose words are those at the start of the next line, or
 * the end of the one before, belongs to that line, whose times were wrong. Returns all lines in order of time.
 *
 * @param lines all lines of one window
 */
export async function transcribeUncovered(
  lines: readonly TranscriptLine[],
  window: SpeechWindow,
  decodeSpan: (span: SpeechSpan) => Promise<TranscriptLine[]>,
): Promise<TranscriptLine[]> {
  const completed = lines.map((line) => ({ ...line }))
  for (const passage of findUncovered(window, lines)) {
    const decoded = await decodeSpan(passage)
    const found = decoded.filter((line) => (line.confidence ?? 1) >= minConfidence && !isImpossible(line))
    const text = found.map((line) => line.text).join(' ')
    const before = completed.findLast(({ endMs }) => endMs <= passage.startMs)
    const after = completed.find(({ startMs }) => startMs >= passage.endMs)
    const letters = lettersOf(text).length
    if (letters === 0) continue
    if (after && hasSameStartOrEnd(after.text, text, { isStart: true, letters })) after.startMs = passage.startMs
    else if (before && hasSameStartOrEnd(before.text, text, { isStart: false, letters })) before.endMs = passage.endMs
    else completed.push(...found)
  }
  return completed.toSorted((a, b) => a.startMs - b.startMs)
}
