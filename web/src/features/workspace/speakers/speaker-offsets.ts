import type { TranscriptionResult } from '#contract/transcription.ts'

/** Who speaks from `start` on, in characters of the text. */
interface Turn {
  start: number
  speaker: string
}

/**
 * Creates a function that returns who says the character at an offset of a transcription's text; undefined where the text is not that of
 * the lines or no speaker is known.
 */
export function createSpeakerFinder(
  transcription: Pick<TranscriptionResult, 'transcription' | 'segments'>,
): (offset: number) => string | undefined {
  const turns: Turn[] = []
  let end = 0
  for (const [index, { text, speaker }] of transcription.segments.entries()) {
    // One character, a blank or a line break, stands between two lines.
    const start = index === 0 ? 0 : end + 1
    if (speaker === undefined || !transcription.transcription.startsWith(text, start)) return () => undefined
    turns.push({ start, speaker })
    end = start + text.length
  }
  return (offset) => turns.findLast(({ start }) => start <= offset)?.speaker
}
