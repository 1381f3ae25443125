import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { TranscriptVersion } from '#contract/versions.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import { readSummaries } from '#data/jobs/transcription-summary.ts'
import { countEditedLines } from '#data/line-edits/line-edits.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { recordingNotFound, requireRecording } from '#data/recordings/recordings.ts'
import { currentTranscription, listTranscriptions, restoreTranscription } from '#data/recordings/versions.ts'
import type { AppRouter } from '#server/http/context.ts'
import { EncodedJson } from '#server/http/encoded-json.ts'
import { route } from '#server/http/route.ts'
import { fetchResults } from './fetch-results.ts'
import { pickCorrections } from './present-results.ts'
import { translatedLanguages } from './present.ts'
import type { DetailsReader } from './read-details.ts'
import type { RecordingAccessGuard } from './recording-access.ts'
import type { RecordingTrail } from './recording-trail.ts'
import type { TranscriptThreads } from './threads/transcript-threads.ts'
import { presentRequest } from './transcription-request.ts'

interface VersionsDeps {
  queue: Queue
  recordingAccess: RecordingAccessGuard
  trail: Pick<RecordingTrail, 'recordUse'>
  threads: TranscriptThreads
  readDetails: DetailsReader
}

/** Mounts /api/recordings/:id/versions with everything below it. */
export function mountVersions(router: AppRouter, deps: VersionsDeps): void {
  const { queue, recordingAccess, trail, threads, readDetails } = deps
  const { connection } = queue

  route(router, api.editing.listVersions, async ({ params, ...caller }) => {
    return { versions: await presentVersions(queue, await recordingAccess.requireReadable(caller, params.id)) }
  })

  route(router, api.editing.getVersion, async ({ params, signal, ...caller }) => {
    const recording = await recordingAccess.requireReadable(caller, params.id)
    const { version } = await requireVersion(queue, recording, params.transcription_id)
    const shown = { recording: pickCorrections(recording), transcriptionId: version.id }
    const packed = await fetchResults(queue, recording.ownerId, { ...shown, translations: [], diarization: undefined })
    const [json = Buffer.of()] = await threads.run('writeVersion', { ...shown, packed }, signal)
    return new EncodedJson(json)
  })

  route(router, api.editing.restoreVersion, async ({ params, query, signal, ...caller }) => {
    const { user } = caller
    const recording = await requireRecording(connection, user.id, params.id)
    const { version, newest } = await requireVersion(queue, recording, params.transcription_id)
    const choice = { transcriptionId: version.id, newestId: newest.id }
    const restored = await restoreTranscription(connection, { ownerId: user.id, id: recording.id }, choice)
    if (!restored) throw recordingNotFound()
    await trail.recordUse(caller, 'edit', recording)
    return readDetails({ ...restored, access: 'owner' }, query, signal)
  })
}

async function presentVersions(queue: Queue, recording: RecordingRecord): Promise<TranscriptVersion[]> {
  const { ownerId, id } = recording
  const jobs = await listJobsOfRecordings(queue, ownerId, [id])
  const finished = listTranscriptions(jobs)
  const current = currentTranscription(recording, jobs)
  const ids = finished.map((job) => job.id)
  const [summaries, edited] = await Promise.all([
    readSummaries(queue, ownerId, ids),
    countEditedLines(queue.connection, { ownerId, recordingId: id }),
  ])
  return finished.flatMap((job) => {
    const summary = summaries.get(job.id)
    const request = presentRequest(job)
    if (!summary || !request || !job.finishedAt) return []
    return {
      transcription_id: job.id,
      is_current: job.id === current?.id,
      finished_at: job.finishedAt.toISOString(),
      request,
      model: summary.model,
      provenance: summary.provenance,
      line_count: summary.lineCount,
      word_count: summary.wordCount,
      edited_line_count: edited.get(job.id) ?? 0,
      target_languages: translatedLanguages(jobs, job.id),
    }
  })
}

/** Returns a finished transcription of a recording, and the newest one. Throws `not_found` if it has none with that id. */
async function requireVersion(
  queue: Queue,
  { ownerId, id }: RecordingRecord,
  transcriptionId: string,
): Promise<{ version: JobRecord; newest: JobRecord }> {
  const finished = listTranscriptions(await listJobsOfRecordings(queue, ownerId, [id]))
  const [newest] = finished
  const version = finished.find((job) => job.id === transcriptionId)
  if (!version || !newest) throw versionNotFound()
  return { version, newest }
}

function versionNotFound(): AppError {
  return new AppError('not_found', 'This recording has no such version')
}
