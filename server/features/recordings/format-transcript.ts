import { AppError } from '#contract/app-error.ts'
import { hasConfidences } from '#contract/doubt.ts'
import type { DoubtChoice } from '#contract/formats/lines.ts'
import { plainLayout, type ReportLayout } from '#contract/formats/report-template-texts.ts'
import { buildReport, type TranscriptReport } from '#contract/formats/report.ts'
import type { EditedText, TranscriptDocument, TranscriptOrigin } from '#contract/formats/transcript-document.ts'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import type { KeywordsInUse } from '#contract/keywords/defaults.ts'
import { editableSegments, type LineEdits } from '#contract/line-edits.ts'
import type { LineMark } from '#contract/line-marks.ts'
import { createMarkFinder } from '#contract/match-marks.ts'
import { settleDoubt } from '#contract/settle-doubt.ts'
import { applySpeakerCorrections } from '#contract/speaker-corrections.ts'
import { speak } from '#contract/texts/speak.ts'
import type { LoadedTexts } from '#contract/texts/t.ts'
import { formatInPieces, type TranscriptFormat } from '#contract/transcript-formats.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import { readTranslation } from '#data/recordings/stored-translations.ts'
import type { TranscriptSource } from '#data/recordings/transcript-source.ts'
import { createChangesReader } from '#data/recordings/transcription-changes.ts'
import type { CorrectedSpeakers } from './present-results.ts'

/** A transcript to be written to files, without its texts. */
export interface ExportedTranscript {
  name: string
  origin: TranscriptOrigin
  recording: CorrectedSpeakers
  transcriptionId: string
  /** What people have said about its lines: see settleDoubt. */
  marks: LineMark[]
  translations: (Pick<JobRecord, 'id' | 'params'> & { targetLanguage: string })[]
}

/** A file to be written from a transcript. */
export interface FileChoice {
  format: TranscriptFormat
  /** The language of the translation to include. */
  target: string | undefined
  doubt: DoubtChoice
  /** Keywords highlighted in Word files; null highlights none. */
  keywords: KeywordsInUse | null
  /** What surrounds the transcript; undefined means the same as without a template. */
  layout?: ReportLayout
}

/** Number of characters encoded at a time. */
const encodeAtOnce = 65_536

/**
 * Returns the content of each file, in the language of `texts`; English if undefined. Throws `conflict` if the transcript lacks something
 * that a file must have.
 */
export async function formatFiles(
  source: TranscriptSource,
  transcript: ExportedTranscript,
  files: FileChoice[],
  texts?: LoadedTexts,
): Promise<Uint8Array[]> {
  const contents: Uint8Array[] = []
  // The document of a long call and the objects of its Word file take a hundred megabytes each, so they are not held at the same time.
  for (const file of files) contents.push(await (await prepareFile(source, transcript, file, texts))())
  return contents
}

/** Returns the function that writes the file, without keeping the document it is made from. */
async function prepareFile(
  source: TranscriptSource,
  transcript: ExportedTranscript,
  { format, target, doubt, keywords, layout = plainLayout }: FileChoice,
  texts: LoadedTexts | undefined,
): Promise<() => Promise<Uint8Array>> {
  const document = await buildDocument(source, transcript, target)
  if (format !== 'json' && doubt === 'only' && !hasConfidences(document.transcription)) throw notMeasuredError()
  // Data files contain the confidences as measured.
  const shown = format === 'json' || doubt === 'none' ? document : settle(document, transcript.marks)
  if (format !== 'docx') {
    const content = speak(texts, () => encodePieces(formatInPieces(format, shown, doubt, layout)))
    return async () => content
  }
  return writeReport(buildReport(shown, { doubt, find: keywords && createKeywordMatcher(keywords), layout }))
}

/** Encodes a text without ever holding all of it as a string, which takes two bytes per character for Arabic script. */
function encodePieces(pieces: Iterable<string>): Uint8Array {
  const encoded: Buffer[] = []
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < encodeAtOnce) continue
    encoded.push(Buffer.from(text))
    text = ''
  }
  return Buffer.concat([...encoded, Buffer.from(text)])
}

function settle(document: TranscriptDocument, marks: LineMark[]): TranscriptDocument {
  return { ...document, transcription: settleDoubt(document.transcription, createMarkFinder(marks)) }
}

function writeReport(report: TranscriptReport): () => Promise<Uint8Array> {
  return async () => {
    const { writeDocx } = await import('./docx/write-docx.ts')
    return writeDocx(report)
  }
}

async function buildDocument(
  source: TranscriptSource,
  { name, origin, recording, transcriptionId, translations }: ExportedTranscript,
  target: string | undefined,
): Promise<TranscriptDocument> {
  const written = await source.readResult(transcriptionId, 'transcribe')
  if (!written) throw notTranscribedError()
  const readChanges = createChangesReader(source, recording)
  const { corrections, edited } = await readChanges(transcriptionId)
  const wanted = translations.find(({ targetLanguage }) => targetLanguage === target)
  const translation = wanted ? await readTranslation(source, wanted, readChanges) : null
  if (target && !translation) throw notTranslatedError()
  return {
    name,
    ...origin,
    edited_lines: listEditedLines(written, await source.readLineEdits(transcriptionId)),
    transcription: applySpeakerCorrections(edited ?? written, corrections),
    corrections,
    translation,
  }
}

function listEditedLines(written: TranscriptionResult, edits: LineEdits): EditedText[] {
  return editableSegments(written, edits)
    .filter(({ isEdited }) => isEdited)
    .map(({ start, end, text, from }) => {
      return { start, end, text, written_text: from.map((index) => written.segments[index]?.text ?? '').join(' ') }
    })
}

/** Returns the error for a recording without a readable transcription. */
export function notTranscribedError(): AppError {
  return new AppError('conflict', 'This recording is not transcribed yet', { help: 'Please transcribe audio first' })
}

function notTranslatedError(): AppError {
  return new AppError('conflict', 'This recording is not translated to that language yet')
}

function notMeasuredError(): AppError {
  return new AppError('conflict', 'This transcript does not say which lines are uncertain', {
    help: 'It was made by an older version. Transcribe the recording again.',
  })
}
