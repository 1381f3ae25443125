import type { Logger } from 'pino'
import { api } from '#contract/api.ts'
import { findSelected } from '#data/library/find-entries.ts'
import { recordingNotFound, findRecording } from '#data/recordings/recordings.ts'
import type { AppRouter } from '#server/http/context.ts'
import type { InterfaceTexts } from '#server/http/interface-texts.ts'
import { route } from '#server/http/route.ts'
import { AppError } from '#contract/app-error.ts'
import { keywordsInUse, type KeywordsInUse } from '#contract/keywords/defaults.ts'
import { describeLanguage } from '#contract/languages.ts'
import type { LoadedTexts } from '#contract/texts/t.ts'
import { transcriptExtensions, type TranscriptFormat } from '#contract/transcript-formats.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { chooseTranslations } from '#data/recordings/stored-translations.ts'
import { currentTranscription } from '#data/recordings/versions.ts'
import { csvRow } from '#server/http/csv.ts'
import type { HeavyTurns } from '#server/http/heavy-turns.ts'
import type { Audit } from '../../audit/service.ts'
import type { RecordingTrail } from '../../recordings/recording-trail.ts'
import type { KeywordService } from '../../keywords/service.ts'
import { readForExport } from '../../recordings/read-export.ts'
import type { TranscriptThreads } from '../../recordings/threads/transcript-threads.ts'
import { streamZip, type ArchiveFile } from './zip-stream.ts'
import { createUniqueNames, safeFileName, type UniqueNames } from './file-names.ts'

interface ArchiveRoutesDeps extends ArchiveDeps {
  audit: Audit
  trail: Pick<RecordingTrail, 'recordIds'>
  interfaceTexts: Pick<InterfaceTexts, 'textsOf'>
}

interface ArchiveDeps {
  queue: Queue
  keywords: Pick<KeywordService, 'readLists'>
  threads: TranscriptThreads
  log: Logger
}

interface ArchiveRequest {
  ownerId: string
  recordingIds: string[]
  formats: TranscriptFormat[]
  targetLanguages: string[]
  /** The language of the texts around the transcript. Undefined means English. */
  texts: LoadedTexts | undefined
}

const manifestName = 'manifest.csv'
const columns = ['recording_id', 'name', 'uploaded_at', 'duration_seconds', 'status', 'files', 'note']
/** Without it, spreadsheet programs assume a different encoding. */
const byteOrderMark = '\uFEFF'

interface ManifestRow {
  recordingId: string
  recording: RecordingRecord | null
  status: 'exported' | 'not transcribed' | 'deleted' | 'failed'
  files: string[]
  note: string
}

/** Mounts POST /api/library/export. */
export function mountArchive(router: AppRouter, { audit, trail, interfaceTexts, ...deps }: ArchiveRoutesDeps): void {
  route(router, api.batches.export, async ({ body, user, origin, log, takeTurn, signal, ctx }) => {
    const recordingIds = await findSelected(deps.queue.connection, user.id, body.selection)
    if (recordingIds.length === 0) throw recordingNotFound()
    const details = `${recordingIds.length} recordings`
    await audit.record({ action: 'library.export', outcome: 'success', actor: user, details }, origin)
    const { formats, target_languages: targetLanguages } = body
    const what = [...formats, ...targetLanguages].join(', ')
    await trail.recordIds({ user, origin }, 'export', { ownerId: user.id, ids: recordingIds }, what)
    const texts = await interfaceTexts.textsOf(origin.language ?? 'en')
    const request = { ownerId: user.id, recordingIds, formats, targetLanguages, texts }
    ctx.status = 200
    ctx.attachment('awaz-transcripts.zip')
    ctx.set('Content-Type', 'application/zip')
    ctx.set('Cache-Control', 'no-store')
    ctx.body = streamZip(exportTranscripts({ ...deps, log }, request, { takeTurn, signal }), signal)
  })
}

/**
 * Produces the files of an archive one after another, ending with a manifest of all recordings. A recording that fails is listed in the
 * manifest, and the others continue. Each recording takes a turn.
 */
async function* exportTranscripts(
  deps: ArchiveDeps,
  request: ArchiveRequest,
  { takeTurn, signal }: HeavyTurns,
): AsyncGenerator<ArchiveFile> {
  const { ownerId, recordingIds } = request
  const keywords = keywordsInUse(await deps.keywords.readLists(ownerId))
  const toUnique = createUniqueNames()
  const manifest = [byteOrderMark, csvRow(columns)]
  for (const recordingId of recordingIds) {
    const read = () => readRecording(deps, request, { recordingId, keywords, toUnique, signal })
    const { files, ...row } = await takeTurn(read)
    yield* files
    manifest.push(toCsv({ ...row, files: files.map(({ name }) => name) }))
  }
  yield { name: manifestName, content: manifest.join('') }
}

interface ReadOptions {
  recordingId: string
  /** Highlighted in Word files. */
  keywords: KeywordsInUse
  toUnique: UniqueNames
  signal: AbortSignal
}

type ReadRecording = Omit<ManifestRow, 'files'> & { files: ArchiveFile[] }

async function readRecording(
  deps: ArchiveDeps,
  request: ArchiveRequest,
  { recordingId, ...options }: ReadOptions,
): Promise<ReadRecording> {
  const recording = await findRecording(deps.queue.connection, request.ownerId, recordingId)
  if (!recording) return { recordingId, recording, status: 'deleted', files: [], note: 'The recording was deleted' }
  try {
    return { recordingId, recording, ...(await makeFiles(deps, request, { recording, ...options })) }
  } catch (error) {
    options.signal.throwIfAborted()
    deps.log.warn({ err: error, recordingId }, 'a recording could not be exported')
    const note = error instanceof AppError ? error.message : 'The transcript could not be read'
    return { recordingId, recording, status: 'failed', files: [], note }
  }
}

async function makeFiles(
  deps: ArchiveDeps,
  { formats, targetLanguages, texts }: ArchiveRequest,
  { recording, keywords, toUnique, signal }: Omit<ReadOptions, 'recordingId'> & { recording: RecordingRecord },
): Promise<Pick<ReadRecording, 'status' | 'files' | 'note'>> {
  const jobs = await listJobsOfRecordings(deps.queue, recording.ownerId, [recording.id])
  const current = currentTranscription(recording, jobs)
  if (!current) return { status: 'not transcribed', files: [], note: 'It is not transcribed yet' }
  const existing = new Set(chooseTranslations(jobs, current.id).map((job) => job.targetLanguage))
  const missing = targetLanguages.filter((language) => !existing.has(language))
  const targets = targetLanguages.filter((language) => existing.has(language))
  const wanted = (targets.length > 0 ? targets : [undefined]).flatMap((target) =>
    formats.map((format) => ({ target, format })),
  )
  const endings = wanted.map(({ target, format }) => [target, transcriptExtensions[format]].filter(Boolean).join('.'))
  const names = toUnique(safeFileName(recording.name), endings)
  const exported = await readForExport(deps.queue, recording, { jobs, targetLanguages: targets, hasNotes: true })
  const choices = wanted.map(({ target, format }) => ({ format, target, doubt: 'none' as const, keywords }))
  const contents = await deps.threads.run('writeFiles', { ...exported, files: choices, texts }, signal)
  const files = contents.map((content, index) => ({ name: names[index] ?? `${index}`, content }))
  const untranslated = missing.map((language) => describeLanguage(language).name).join(', ')
  return { status: 'exported', files, note: untranslated && `Not translated to ${untranslated}` }
}

function toCsv({ recordingId, recording, status, files, note }: ManifestRow): string {
  return csvRow([
    recordingId,
    recording?.name ?? '',
    recording?.createdAt.toISOString() ?? '',
    recording ? (recording.durationMs / 1000).toFixed(3) : '',
    status,
    files.join('; '),
    note,
  ])
}
