import { formatDialogue } from './formats/dialogue.ts'
import { jsonPieces } from './formats/json-pieces.ts'
import { speakerTitle, type DoubtChoice } from './formats/lines.ts'
import { plainLayout } from './formats/report-template-texts.ts'
import { formatSrt, formatVtt } from './formats/subtitles.ts'
import { formatText } from './formats/text.ts'
import type { TranscriptDocument, TranscriptExport } from './formats/transcript-document.ts'

export const transcriptFormats = ['docx', 'dialogue', 'txt', 'srt', 'vtt', 'json'] as const
export type TranscriptFormat = (typeof transcriptFormats)[number]

/** MIME type of each format. */
export const transcriptMimeTypes: Record<TranscriptFormat, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  dialogue: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** The file extensions, without the leading dot. */
export const transcriptExtensions: Record<TranscriptFormat, string> = {
  docx: 'docx',
  dialogue: 'dialogue.txt',
  txt: 'txt',
  srt: 'srt',
  vtt: 'vtt',
  json: 'json',
}

/**
 * Formats a transcript as the content of a text file with both original and translation. All formats but json have invisible directional
 * characters around right-to-left lines, so that they display correctly in any viewer, and show doubt as requested; json contains both
 * results unchanged, the names of the speakers and the origin of the transcript (TranscriptExport).
 */
export function formatTranscript(
  format: Exclude<TranscriptFormat, 'docx'>,
  document: TranscriptDocument,
  doubt: DoubtChoice = 'none',
  layout = plainLayout,
): string {
  return [...formatInPieces(format, document, doubt, layout)].join('')
}

/** Returns the output of `formatTranscript`, in pieces if it is large. */
export function* formatInPieces(
  format: Exclude<TranscriptFormat, 'docx'>,
  document: TranscriptDocument,
  doubt: DoubtChoice,
  layout = plainLayout,
): Generator<string> {
  if (format === 'txt') yield formatText(document, doubt, layout)
  else if (format === 'dialogue') yield formatDialogue(document, doubt, layout)
  else if (format === 'srt') yield formatSrt(document, doubt)
  else if (format === 'vtt') yield formatVtt(document, doubt)
  else {
    yield* jsonPieces(toExport(document))
    yield '\n'
  }
}

function toExport({ corrections, ...document }: TranscriptDocument): TranscriptExport {
  const { name, transcription, translation, ...origin } = document
  const speakers = transcription.speaker_transcriptions.map(({ speaker }) => {
    return { speaker, name: speakerTitle(speaker, { transcription, corrections }) }
  })
  return { name, ...origin, speakers, transcription, translation }
}
