import { api } from '#contract/api.ts'
import { tusVersion } from '#contract/endpoints/uploads.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { AppRouter } from '#server/http/context.ts'
import { disconnectSignal } from '#server/http/disconnect-signal.ts'
import { route } from '#server/http/route.ts'
import type { RecordingTrail } from '../recordings/recording-trail.ts'
import { presentUnfinished, presentUploadResult } from './present-upload.ts'
import type { ResumableUploadDeps } from './open-upload.ts'
import { createResumableUploads } from './resumable-uploads.ts'
import { describeUpload } from './store-upload.ts'
import { readAnnouncedFile, readPartOffset, requireTusVersion, setUploadHeaders } from './tus-headers.ts'

interface ResumableRouteDeps extends ResumableUploadDeps {
  /** Counts an upload. Throws `rate_limited` when the user has uploaded too many files within the hour. */
  countUpload: (userId: string) => Promise<void>
  trail: Pick<RecordingTrail, 'record'>
}

/** Mounts the uploads that resume, by the tus protocol 1.0.0 (docs/decisions/resumable-uploads.md). */
export function mountResumableUploads(router: AppRouter, deps: ResumableRouteDeps): void {
  const uploads = createResumableUploads(deps)

  route(router, api.uploads.list, async ({ user }) => ({
    uploads: (await uploads.list(user.id)).map(presentUnfinished),
  }))

  route(router, api.uploads.create, async ({ user, session, ctx }) => {
    requireTusVersion(ctx)
    const file = readAnnouncedFile(ctx)
    await deps.countUpload(user.id)
    const upload = await uploads.begin({ ownerId: user.id, sessionId: session.id }, file)
    setUploadHeaders(ctx, upload)
    ctx.set('Location', `${api.uploads.create.path}/${upload.id}`)
    return presentUnfinished(upload)
  })

  route(router, api.uploads.get, async ({ params, user, ctx }) => {
    const upload = await uploads.get(user.id, params.id)
    setUploadHeaders(ctx, upload)
    return presentUnfinished(upload)
  })

  route(router, api.uploads.send, async ({ params, user, session, ctx }) => {
    requireTusVersion(ctx)
    const upload = await uploads.append({ ownerId: user.id, sessionId: session.id }, params.id, {
      offset: readPartOffset(ctx),
      lengthBytes: ctx.request.length ?? 0,
      body: ctx.req,
      signal: disconnectSignal(ctx),
    })
    setUploadHeaders(ctx, upload)
  })

  route(router, api.uploads.finish, async ({ params, user, session, origin }) => {
    const uploader = {
      ownerId: user.id,
      sessionId: session.id,
      recordUpload: (stored: RecordingRecord) =>
        deps.trail.record({ user, origin }, 'upload', [stored], describeUpload(stored)),
    }
    const recording = await uploads.finish(uploader, params.id)
    return presentUploadResult(deps.connection, recording)
  })

  route(router, api.uploads.discard, async ({ params, user, ctx }) => {
    await uploads.discard(user.id, params.id)
    ctx.set('Tus-Resumable', tusVersion)
  })
}
