import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { hasConfidences } from '#contract/doubt.ts'
import { applySpeakerCorrections } from '#contract/speaker-corrections.ts'
import { formatTranscript, transcriptMimeTypes } from '#contract/transcript-formats.ts'
import { latestDone, listJobsOfRecordings, listLanguages, readResult } from '#data/jobs/results.ts'
import type { RecordingDocument } from '#data/recordings/recording-model.ts'
import { findRecording, listRecordings, renameRecording, sumRecordings } from '#data/recordings/recordings.ts'
import { removeRecording } from '#data/recordings/remove.ts'
import type { AppRouter } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import { invalidInput } from '#server/http/parse.ts'
import { route } from '#server/http/route.ts'
import { toObjectId } from '../jobs/long-work.ts'
import type { WorkServices } from '../work/services.ts'
import { attachment } from './attachment.ts'
import { cleanRecordingName } from './name.ts'
import { latestTranslations, presentDetails, presentRecordings, readTranslation } from './present.ts'
import { correctSpeakers, createCorrectionsReader } from './speaker-corrections.ts'

const notFound = () => new AppError('not_found', 'Recording not found')
const notMeasured = () =>
  new AppError('conflict', 'This transcript does not say which lines are uncertain', {
    help: 'It was made by an older version. Transcribe the recording again.',
  })

/** GET /api/recordings and what is below it, and GET /api/stats. */
export function mountRecordings(router: AppRouter, services: WorkServices): void {
  const { connection, queue } = services

  route(router, api.recordings.list, async ({ query, user }) => {
    const { page, per_page: perPage, search } = query
    const { recordings, total } = await listRecordings(connection, toObjectId(user.id), { search, page, perPage })
    return { recordings: await presentRecordings(queue, recordings), ...presentPage(query, total) }
  })

  route(router, api.recordings.get, async ({ params, user }) => {
    return presentDetails(queue, await requireRecording(services, user.id, params.id))
  })

  route(router, api.recordings.update, async ({ params, body, user }) => {
    const name = cleanRecordingName(body.name)
    if (!name) throw invalidInput(['Please enter a name'])
    const renamed = await renameRecording(connection, toObjectId(user.id), toObjectId(params.id), name)
    const [shown] = renamed ? await presentRecordings(queue, [renamed]) : []
    if (!shown) throw notFound()
    return shown
  })

  route(router, api.recordings.correctSpeakers, async ({ params, body, user }) => {
    const recording = await requireRecording(services, user.id, params.id)
    const { corrections, version: seen } = body
    return presentDetails(queue, await correctSpeakers(queue, recording, { corrections, seen }))
  })

  route(router, api.recordings.remove, async ({ params, user }) => {
    if (!(await removeRecording(services, toObjectId(user.id), toObjectId(params.id)))) throw notFound()
    return { message: 'Recording deleted' }
  })

  route(router, api.recordings.export, async ({ params, query, user, ctx }) => {
    const recording = await requireRecording(services, user.id, params.id)
    const results = await readForExport(services, recording, query.target_language)
    if (query.format !== 'json' && query.doubt === 'only' && !hasConfidences(results.transcription)) throw notMeasured()
    ctx.status = 200
    ctx.set('Content-Type', transcriptMimeTypes[query.format])
    ctx.set('Content-Disposition', attachment(recording.name, query.format))
    ctx.set('Cache-Control', 'no-store')
    ctx.body = formatTranscript(query.format, { name: recording.name, ...results }, query.doubt)
  })

  route(router, api.recordings.stats, async ({ user }) => {
    const ownerId = toObjectId(user.id)
    const [sums, languages] = await Promise.all([sumRecordings(connection, ownerId), listLanguages(queue, ownerId)])
    return { totalFiles: sums.count, totalDuration: sums.durationMs / 1000, languagesProcessed: languages.length }
  })
}

async function requireRecording({ connection }: WorkServices, userId: string, id: string): Promise<RecordingDocument> {
  const recording = await findRecording(connection, toObjectId(userId), toObjectId(id))
  if (!recording) throw notFound()
  return recording
}

async function readForExport(
  { queue }: WorkServices,
  recording: RecordingDocument,
  targetLanguage: string | undefined,
) {
  const jobs = await listJobsOfRecordings(queue, recording.ownerId, [recording._id])
  const latest = latestDone(jobs, 'transcribe')
  const written = latest && (await readResult(queue, recording.ownerId, latest._id, 'transcribe'))
  if (!written)
    throw new AppError('conflict', 'This recording is not transcribed yet', { help: 'Please transcribe audio first' })
  const readCorrections = createCorrectionsReader(queue, recording)
  const corrections = await readCorrections(latest._id)
  const transcription = applySpeakerCorrections(written, corrections)
  if (!targetLanguage) return { transcription, corrections, translation: null }
  const wanted = latestTranslations(jobs).find((job) => job.targetLanguage === targetLanguage)
  const translation = wanted && (await readTranslation(queue, wanted, readCorrections))
  if (!translation) throw new AppError('conflict', 'This recording is not translated to that language yet')
  return { transcription, corrections, translation }
}
