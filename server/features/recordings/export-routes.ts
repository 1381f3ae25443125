import { api } from '#contract/api.ts'
import { keywordsInUse } from '#contract/keywords/defaults.ts'
import { transcriptExtensions, transcriptMimeTypes } from '#contract/transcript-formats.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import type { AppRouter } from '#server/http/context.ts'
import type { InterfaceTexts } from '#server/http/interface-texts.ts'
import { route } from '#server/http/route.ts'
import type { KeywordService } from '../keywords/service.ts'
import { attachment } from './attachment.ts'
import { readForExport } from './read-export.ts'
import type { RecordingAccessGuard } from './recording-access.ts'
import type { TranscriptThreads } from './threads/transcript-threads.ts'

export interface ExportDeps {
  queue: Queue
  recordingAccess: RecordingAccessGuard
  keywords: Pick<KeywordService, 'readLists'>
  threads: TranscriptThreads
  interfaceTexts: Pick<InterfaceTexts, 'textsOf'>
}

/** Mounts GET /api/recordings/{id}/export. */
export function mountExport(
  router: AppRouter,
  { queue, recordingAccess, keywords, threads, interfaceTexts }: ExportDeps,
): void {
  route(router, api.recordings.export, async ({ params, query, signal, ctx, ...caller }) => {
    const { format, doubt, target_language: target, notes: hasNotes, hits: hasHits } = query
    const what = [format, target].filter(Boolean).join(', ')
    const recording = await recordingAccess.requireExportable(caller, params.id, what)
    const jobs = await listJobsOfRecordings(queue, recording.ownerId, [recording.id])
    const exported = await readForExport(queue, recording, { jobs, targetLanguages: target ? [target] : [], hasNotes })
    const isMarked = format === 'docx' && hasHits
    const marked = isMarked ? keywordsInUse(await keywords.readLists(caller.user.id)) : null
    const files = [{ format, target, doubt, keywords: marked }]
    const texts = format === 'docx' ? await interfaceTexts.textsOf(caller.origin.language ?? 'en') : undefined
    const [content] = await threads.run('writeFiles', { ...exported, files, texts }, signal)
    ctx.status = 200
    ctx.set('Content-Type', transcriptMimeTypes[format])
    ctx.set('Content-Disposition', attachment(recording.name, transcriptExtensions[format]))
    ctx.set('Cache-Control', 'no-store')
    ctx.body = content
  })
}
