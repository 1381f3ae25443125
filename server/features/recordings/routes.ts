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
import { plainLayout, type ReportLayout } from '#contract/formats/report-template-texts.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { requireReportTemplate } from '#data/report-templates/report-templates.ts'
import { findPeople } from '#data/users/people.ts'
import { foldKeyword } from '#contract/keywords/fold.ts'
import { keywordCategories, type KeywordCategory, type Keywords } from '#contract/keywords/keywords.ts'
import { readPossibleHits } from '#data/jobs/possible-hits.ts'
import { readKeywordsInUse } from '#data/keywords/keyword-lists.ts'
import { currentTranscription } from '#data/recordings/versions.ts'
import type { KeywordService } from '../keywords/service.ts'
import { cleanRecordingName } from './name.ts'
import { presentRecordings } from './present.ts'
import { createDetailsReader } from './read-details.ts'
import type { RecordingTrail } from './recording-trail.ts'
import { correctSpeakers } from './speaker-corrections.ts'
import { mountVersions } from './version-routes.ts'
import { contentDisposition } from './content-disposition.ts'
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

interface LayoutChoice {
  /** The user making the report. */
  userId: string
  /** The id of a report template of this user. */
  template: string | undefined
  hasFacts: boolean
}

interface PossibleHitsDeps {
  queue: Queue
  recordingAccess: RecordingAccessGuard
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

/** Returns what surrounds the transcript in a report. Throws `not_found` if the user has no such template. */
async function readLayout(
  connection: DatabaseConnection,
  { userId, template, hasFacts }: LayoutChoice,
): Promise<ReportLayout> {
  if (template === undefined) return { ...plainLayout, hasFacts }
  const [texts, people] = await Promise.all([
    requireReportTemplate(connection, userId, template),
    findPeople(connection, [userId]),
  ])
  return { texts, person: people.get(userId)?.name ?? '', hasFacts }
}

/**
 * Mounts /api/recordings/:id/possible-hits. Readers only get hits for words that are also among their own keywords: what is stored was
 * searched with the keywords of the recording's owner, which are private.
 */
function mountPossibleHits(router: AppRouter, { queue, recordingAccess }: PossibleHitsDeps): void {
  const { connection } = queue

  route(router, api.recordings.possibleHits, async ({ params, ...caller }) => {
    const recording = await recordingAccess.requireReadable(caller, params.id)
    const current = currentTranscription(
      recording,
      await listJobsOfRecordings(queue, recording.ownerId, [recording.id]),
    )
    if (!current) return { transcription_id: null, is_searched: false, hits: [] }
    const [stored, keywords] = await Promise.all([
      readPossibleHits(connection, { ownerId: recording.ownerId, jobId: current.id }),
      readKeywordsInUse(connection, caller.user.id),
    ])
    const categories = categoriesOf(keywords)
    const hits = (stored ?? []).flatMap((hit) => {
      const category = categories.get(foldKeyword(hit.keyword))
      return category ? [{ ...hit, category }] : []
    })
    return { transcription_id: current.id, is_searched: stored !== null, hits }
  })
}

/** Returns the category of each folded keyword; the first one counts. */
function categoriesOf(keywords: Keywords): Map<string, KeywordCategory> {
  const categories = new Map<string, KeywordCategory>()
  for (const category of keywordCategories.toReversed()) {
    for (const keyword of keywords[category]) categories.set(foldKeyword(keyword), category)
  }
  return categories
}
