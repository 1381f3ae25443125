import { AppError, toErrorBody } from '#contract/app-error.ts'
import { CompactDetails } from '#contract/compact-details.ts'
import type { ErrorBody } from '#contract/errors.ts'
import type { LoadedTexts } from '#contract/texts/t.ts'
import { applySpeakerCorrections } from '#contract/speaker-corrections.ts'
import { openPackedTranscripts, readEdited, type PackedTranscripts } from '#data/recordings/transcript-source.ts'
import { createChangesReader } from '#data/recordings/transcription-changes.ts'
import { toRequestedForm } from '../compact-details.ts'
import { formatFiles, type ExportedTranscript, type FileChoice } from '../format-transcript.ts'
import { presentResults, type ResultSelection } from '../present-results.ts'
import type { DetailsPlan } from '../present.ts'

// The work of a thread: from stored transcripts to the bytes of a response, without the database.

interface WriteFiles {
  transcript: ExportedTranscript
  packed: PackedTranscripts
  files: FileChoice[]
  /** The language of the texts around the transcript. Undefined means English. */
  texts?: LoadedTexts | undefined
}

interface WriteDetails extends DetailsPlan {
  packed: PackedTranscripts
  isCompact: boolean
}

interface WriteVersion {
  recording: ResultSelection['recording']
  transcriptionId: string
  packed: PackedTranscripts
}

export interface TranscriptTasks {
  writeFiles: WriteFiles
  writeDetails: WriteDetails
  writeVersion: WriteVersion
}

/** The bytes of each file, or an error meant for the caller. */
export type TranscriptTaskOutcome = { contents: Uint8Array[] } | { error: ErrorBody }

/** Writes a transcript in each format. */
export async function writeFiles({ transcript, packed, files, texts }: WriteFiles): Promise<TranscriptTaskOutcome> {
  return attempt(() => formatFiles(openPackedTranscripts(packed), transcript, files, texts))
}

/** Writes the details of a recording as JSON. */
export async function writeDetails({ head, results, packed, isCompact }: WriteDetails): Promise<TranscriptTaskOutcome> {
  return attempt(async () => {
    const presented = await presentResults(openPackedTranscripts(packed), results)
    const details = toRequestedForm({ ...head, ...presented }, { compact: isCompact })
    return [toJson(CompactDetails.parse(details))]
  })
}

/** Writes a version of a transcript, with people's edits, as JSON. */
export async function writeVersion({
  recording,
  transcriptionId,
  packed,
}: WriteVersion): Promise<TranscriptTaskOutcome> {
  return attempt(async () => {
    const transcripts = openPackedTranscripts(packed)
    const edited = await readEdited(transcripts, transcriptionId)
    if (!edited) throw new AppError('not_found', 'This recording has no such version')
    const { corrections } = await createChangesReader(transcripts, recording)(transcriptionId)
    return [toJson(applySpeakerCorrections(edited, corrections))]
  })
}

/** Catches errors meant for the caller: an error loses its class and code between threads. */
async function attempt(task: () => Promise<Uint8Array[]>): Promise<TranscriptTaskOutcome> {
  try {
    return { contents: (await task()).map(ownMemory) }
  } catch (error) {
    if (error instanceof AppError) return { error: toErrorBody(error) }
    throw error
  }
}

/** Copies bytes that are part of a larger buffer, which would otherwise be transferred with them. */
function ownMemory(content: Uint8Array): Uint8Array {
  return content.byteLength === content.buffer.byteLength ? content : new Uint8Array(content)
}

function toJson(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}
