import { api } from '#contract/api.ts'
import { listJobsOfRecordings, listLanguages } from '#data/jobs/results.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import { recordingHeldError } from '#data/holds/held.ts'
import { replacePart } from '#data/holds/removals.ts'
import { readLibrary } from '#data/library/read-library.ts'
import { listRecordings, recordingNotFound, renameRecording, requireRecording } from '#data/recordings/recordings.ts'
import { removeRecording } from '#data/recordings/remove.ts'
import type { AppRouter } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import { invalidInput } from '#server/http/parse.ts'
import { route } from '#server/http/route.ts'
import { keywordsInUse } from '#contract/keywords/defaults.ts'
import { transcriptExtensions, transcriptMimeTypes } from '#contract/transcript-formats.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { InterfaceTexts } from '#server/http/interface-texts.ts'
import type { KeywordService } from '../keywords/service.ts'
import { cleanRecordingName } from './name.ts'
import { mountPossibleHits } from './possible-hit-routes.ts'
import { presentRecordings } from './present.ts'
import { createDetailsReader } from './read-details.ts'
import type { RecordingTrail } from './recording-trail.ts'
import { correctSpeakers } from './speaker-corrections.ts'
import { mountVersions } from './version-routes.ts'
import { contentDisposition } from './content-disposition.ts'
import { readLayout } from './report-layout.ts'
import { readForExport } from './read-export.ts'
import type { RecordingAccessGuard } from './recording-access.ts'
import type { TranscriptThreads } from './threads/transcript-threads.ts'

interface ExportDeps {
  queue: Queue
  recordingAccess: RecordingAccessGuard
  keywords: Pick<KeywordService, 'readLists'>
  threads: TranscriptThreads
  interfaceTexts: Pick<InterfaceTexts, 'textsOf'>
}

/** Mounts GET /api/recordings/{id}/export. */
function mountExport(
  router: AppRouter,
  { queue, recordingAccess, keywords, threads, interfaceTexts }: ExportDeps,
): void {
  route(router, api.recordings.export, async ({ params, query, signal, ctx, ...caller }) => {
    const { format, doubt, target_language: target, notes: hasNotes, hits: hasHits, facts: hasFacts, template } = query
    const what = [format, target].filter(Boolean).join(', ')
    const recording = await recordingAccess.requireExportable(caller, params.id, what)
    const layout = await readLayout(queue.connection, { userId: caller.user.id, template, hasFacts })
    const jobs = await listJobsOfRecordings(queue, recording.ownerId, [recording.id])
    const exported = await readForExport(queue, recording, { jobs, targetLanguages: target ? [target] : [], hasNotes })
    const isMarked = format === 'docx' && hasHits
    const marked = isMarked ? keywordsInUse(await keywords.readLists(caller.user.id)) : null
    const files = [{ format, target, doubt, keywords: marked, layout }]
    const texts = await interfaceTexts.textsOf(caller.origin.language ?? 'en')
    const [content] = await threads.run('writeFiles', { ...exported, files, texts }, signal)
    ctx.status = 200
    ctx.set('Content-Type', transcriptMimeTypes[format])
    ctx.set('Content-Disposition', contentDisposition(recording.name, transcriptExtensions[format]))
    ctx.set('Cache-Control', 'no-store')
    ctx.body = content
  })
}

export interface RecordingsDeps extends ExportDeps {
  audioStore: AudioStore
  trail: RecordingTrail
}

/** Mounts /api/recordings with everything below it, and GET /api/stats. */
export function mountRecordings(router: AppRouter, deps: RecordingsDeps): void {
  const { queue, recordingAccess, trail } = deps
  const { connection } = queue
  const readDetails = createDetailsReader(deps)

  mountVersions(router, { ...deps, readDetails })
  mountPossibleHits(router, deps)
  mountExport(router, deps)

  route(router, api.recordings.list, async ({ query, user }) => {
    const { page, per_page: perPage, search } = query
    const { recordings, total } = await listRecordings(connection, user.id, { search, page, perPage })
    return { recordings: await presentRecordings(queue, recordings), ...presentPage(query, total) }
  })

  route(router, api.recordings.get, async ({ params, query, signal, ...caller }) => {
    const recording = await recordingAccess.requireReadable(caller, params.id)
    return readDetails(recording, query, signal)
  })

  route(router, api.recordings.update, async ({ params, body, user, origin }) => {
    const name = cleanRecordingName(body.name)
    if (!name) throw invalidInput(['Please enter a name'])
    const before = await requireRecording(connection, user.id, params.id)
    const renamed = await replacePart(
      connection,
      { ownerId: user.id, recordingId: params.id },
      { kind: 'name', state: before.name, replace: () => renameRecording(connection, user.id, params.id, name) },
    )
    const [shown] = renamed ? await presentRecordings(queue, [renamed]) : []
    if (!shown) throw recordingNotFound()
    await trail.record({ user, origin }, 'rename', [before])
    return shown
  })

  route(router, api.recordings.correctSpeakers, async ({ params, query, body, signal, ...caller }) => {
    const recording = await recordingAccess.requireEditable(caller, params.id)
    const { corrections, version: seen } = body
    const corrected = await correctSpeakers(queue, recording, { corrections, seen })
    return readDetails({ ...corrected, access: recording.access }, query, signal)
  })

  route(router, api.recordings.remove, async ({ params, user, origin }) => {
    const outcome = await removeRecording(deps, user.id, params.id, trail.makeEvent({ user, origin }, 'delete'))
    if (outcome === 'held') throw recordingHeldError()
    if (outcome === 'missing') throw recordingNotFound()
    return { message: 'Recording deleted' }
  })

  route(router, api.recordings.stats, async ({ user }) => {
    const [rows, languages] = await Promise.all([readLibrary(connection, user.id), listLanguages(queue, user.id)])
    const totalMs = rows.reduce((sum, { durationMs }) => sum + durationMs, 0)
    return { totalFiles: rows.length, totalDuration: totalMs / 1000, languagesProcessed: languages.length }
  })
}
