import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { hasConfidences } from '#contract/doubt.ts'
import { applySpeakerCorrections } from '#contract/speaker-corrections.ts'
import { formatTranscript, transcriptMimeTypes } from '#contract/transcript-formats.ts'
import { listJobsOfRecordings, listLanguages, readResult } from '#data/jobs/results.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import {
  listRecordings,
  recordingNotFound,
  renameRecording,
  requireRecording,
  sumRecordings,
} from '#data/recordings/recordings.ts'
import { removeRecording } from '#data/recordings/remove.ts'
import { currentTranscription } from '#data/recordings/versions.ts'
import type { AppRouter } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import { invalidInput } from '#server/http/parse.ts'
import { route } from '#server/http/route.ts'
import { attachment } from './attachment.ts'
import { cleanRecordingName } from './name.ts'
import { chooseTranslations, presentDetails, presentRecordings, readTranslation } from './present.ts'
import { correctSpeakers, createCorrectionsReader } from './speaker-corrections.ts'
import { mountVersions } from './version-routes.ts'

export interface RecordingsDeps {
  queue: Queue
  audioStore: AudioStore
}

const notMeasuredError = () =>
  new AppError('conflict', 'This transcript does not say which lines are uncertain', {
    help: 'It was made by an older version. Transcribe the recording again.',
  })

/** Mounts /api/recordings with everything below it, and GET /api/stats. */
export function mountRecordings(router: AppRouter, deps: RecordingsDeps): void {
  const { queue } = deps
  const { connection } = queue

  mountVersions(router, deps)

  route(router, api.recordings.list, async ({ query, user }) => {
    const { page, per_page: perPage, search } = query
    const { recordings, total } = await listRecordings(connection, user.id, { search, page, perPage })
    return { recordings: await presentRecordings(queue, recordings), ...presentPage(query, total) }
  })

  route(router, api.recordings.get, async ({ params, user }) => {
    return presentDetails(queue, await requireRecording(connection, user.id, params.id))
  })

  route(router, api.recordings.update, async ({ params, body, user }) => {
    const name = cleanRecordingName(body.name)
    if (!name) throw invalidInput(['Please enter a name'])
    const renamed = await renameRecording(connection, user.id, params.id, name)
    const [shown] = renamed ? await presentRecordings(queue, [renamed]) : []
    if (!shown) throw recordingNotFound()
    return shown
  })

  route(router, api.recordings.correctSpeakers, async ({ params, body, user }) => {
    const recording = await requireRecording(connection, user.id, params.id)
    const { corrections, version: seen } = body
    return presentDetails(queue, await correctSpeakers(queue, recording, { corrections, seen }))
  })

  route(router, api.recordings.remove, async ({ params, user }) => {
    if (!(await removeRecording(deps, user.id, params.id))) throw recordingNotFound()
    return { message: 'Recording deleted' }
  })

  route(router, api.recordings.export, async ({ params, query, user, ctx }) => {
    const recording = await requireRecording(connection, user.id, params.id)
    const results = await readForExport(queue, recording, query.target_language)
    if (query.format !== 'json' && query.doubt === 'only' && !hasConfidences(results.transcription))
      throw notMeasuredError()
    ctx.status = 200
    ctx.set('Content-Type', transcriptMimeTypes[query.format])
    ctx.set('Content-Disposition', attachment(recording.name, query.format))
    ctx.set('Cache-Control', 'no-store')
    ctx.body = formatTranscript(query.format, { name: recording.name, ...results }, query.doubt)
  })

  route(router, api.recordings.stats, async ({ user }) => {
    const [sums, languages] = await Promise.all([sumRecordings(connection, user.id), listLanguages(queue, user.id)])
    return { totalFiles: sums.count, totalDuration: sums.durationMs / 1000, languagesProcessed: languages.length }
  })
}

async function readForExport(queue: Queue, recording: RecordingRecord, targetLanguage: string | undefined) {
  const jobs = await listJobsOfRecordings(queue, recording.ownerId, [recording.id])
  const current = currentTranscription(recording, jobs)
  const written = current && (await readResult(queue, recording.ownerId, current.id, 'transcribe'))
  if (!written)
    throw new AppError('conflict', 'This recording is not transcribed yet', { help: 'Please transcribe audio first' })
  const readCorrections = createCorrectionsReader(queue, recording)
  const corrections = await readCorrections(current.id)
  const transcription = applySpeakerCorrections(written, corrections)
  if (!targetLanguage) return { transcription, corrections, translation: null }
  const wanted = chooseTranslations(jobs, current.id).find((job) => job.targetLanguage === targetLanguage)
  const translation = wanted && (await readTranslation(queue, wanted, readCorrections))
  if (!translation) throw new AppError('conflict', 'This recording is not translated to that language yet')
  return { transcription, corrections, translation }
}
