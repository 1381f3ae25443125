import { api } from '#contract/api.ts'
import { findSelected } from '#data/library/find-entries.ts'
import { recordingNotFound } from '#data/recordings/recordings.ts'
import type { AppRouter } from '#server/http/context.ts'
import type { InterfaceTexts } from '#server/http/interface-texts.ts'
import { route } from '#server/http/route.ts'
import type { Audit } from '../../audit/service.ts'
import type { RecordingTrail } from '../../recordings/recording-trail.ts'
import { exportTranscripts, type ArchiveDeps } from './export-transcripts.ts'
import { streamZip } from './zip-stream.ts'

interface ArchiveRoutesDeps extends ArchiveDeps {
  audit: Audit
  trail: Pick<RecordingTrail, 'recordIds'>
  interfaceTexts: Pick<InterfaceTexts, 'textsOf'>
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
