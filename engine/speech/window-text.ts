import { toSourceMs } from '#engine/audio/windows.ts'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import type { RawSegment } from './whisper-child.ts'

/** Words and their times in the recording, in milliseconds. */
export interface TimedText {
  startMs: number
  endMs: number
  text: string
}

/**
 * What Whisper heard in a window as words with times in the recording. Starts and ends are clamped into the detected speech the
 * window was packed from, because Whisper gives a segment the end of the one before as its start. What begins behind the last
 * speech was heard in silence and is dropped, and so is text without a letter or digit.
 */
export function toTimedTexts(raw: RawSegment[], window: SpeechWindow): TimedText[] {
  const silenceFromMs = lastSpeechEndMs(window)
  return raw
    .filter(({ startMs }) => startMs === 0 || startMs < silenceFromMs)
    .map(({ startMs, endMs, text }) => {
      const start = toSourceMs(window, startMs, 'start')
      return { startMs: start, endMs: Math.max(start, toSourceMs(window, endMs, 'end')), text: cleanText(text) }
    })
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

/** Where the last speech ends, in the window's own time. */
function lastSpeechEndMs({ pieces, durationMs }: SpeechWindow): number {
  const last = pieces.at(-1)
  return last ? last.speechEndMs - last.sourceStartMs + last.windowStartMs : durationMs
}

/** Single blanks, and no replacement characters: Whisper may end a segment in the middle of a letter's bytes. */
function cleanText(text: string): string {
  return text.replaceAll('\uFFFD', '').replace(/\s+/gu, ' ').trim()
}
