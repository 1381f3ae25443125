import { speakerTitle, type DoubtChoice, type TranscriptDocument } from './formats/lines.ts'
import { formatSrt, formatVtt } from './formats/subtitles.ts'
import { formatText } from './formats/text.ts'

export const transcriptFormats = ['txt', 'srt', 'vtt', 'json'] as const
export type TranscriptFormat = (typeof transcriptFormats)[number]

/** MIME type of each format. */
export const transcriptMimeTypes: Record<TranscriptFormat, string> = {
  txt: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/**
 * Formats a transcript as the content of a file, original and translation in one. txt, srt and vtt carry invisible direction characters around
 * right-to-left lines, so that they read properly in any viewer, and show doubt as asked; json contains both results unchanged, and the
 * names of the speakers.
 */
export function formatTranscript(
  format: TranscriptFormat,
  document: TranscriptDocument,
  doubt: DoubtChoice = 'none',
): string {
  if (format === 'txt') return formatText(document, doubt)
  if (format === 'srt') return formatSrt(document, doubt)
  if (format === 'vtt') return formatVtt(document, doubt)
  const { name, transcription, translation } = document
  const speakers = transcription.speaker_transcriptions.map(({ speaker }) => {
    return { speaker, name: speakerTitle(speaker, document) }
  })
  return `${JSON.stringify({ name, speakers, transcription, translation }, null, 2)}\n`
}
