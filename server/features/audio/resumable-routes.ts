import { api } from '#contract/api.ts'
import { tusVersion } from '#contract/endpoints/uploads.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { AppRouter, AppContext } from '#server/http/context.ts'
import { disconnectSignal } from '#server/http/disconnect-signal.ts'
import { route } from '#server/http/route.ts'
import { AppError } from '#contract/app-error.ts'
import type { UploadRecord } from '#data/uploads/uploads.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { RecordingTrail } from '../recordings/recording-trail.ts'
import { presentUnfinished, presentUploadResult } from './present-upload.ts'
import type { ResumableUploadDeps } from './open-upload.ts'
import { createResumableUploads } from './resumable-uploads.ts'
import { describeUpload } from './store-upload.ts'

interface ResumableRouteDeps extends ResumableUploadDeps {
  /** Counts an upload. Throws `rate_limited` when the user has uploaded too many files within the hour. */
  countUpload: (userId: string) => Promise<void>
  trail: Pick<RecordingTrail, 'record'>
}

const partType = 'application/offset+octet-stream'
const maxMetadataBytes = 4_096
const maxFingerprintLength = 500

/** Mounts the endpoints of resumable uploads: tus protocol 1.0.0 (docs/decisions/resumable-uploads.md). */
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

/** Names the protocol version in the response. Throws `unsupported_version` if the request names none or a different one. */
function requireTusVersion(ctx: AppContext): void {
  ctx.set('Tus-Resumable', tusVersion)
  if (ctx.get('Tus-Resumable') === tusVersion) return
  ctx.set('Tus-Version', tusVersion)
  throw new AppError('unsupported_version', `Send the header "Tus-Resumable: ${tusVersion}".`)
}

/** What a client announces about a file before sending it. */
interface AnnouncedFile {
  sizeBytes: number
  name: string
  fingerprint: string
}

/** Reads the headers that begin an upload. Throws `invalid_input`. */
function readAnnouncedFile(ctx: AppContext): AnnouncedFile {
  const sizeBytes = readCount(ctx, 'Upload-Length')
  const metadata = readMetadata(ctx.get('Upload-Metadata'))
  const name = metadata.get('filename')
  if (!name) throw invalidInput(['Name the file in the header Upload-Metadata: filename and its name in base64'])
  return { sizeBytes, name, fingerprint: (metadata.get('fingerprint') ?? '').slice(0, maxFingerprintLength) }
}

/** Reads the offset at which a part begins. Throws `invalid_input`. */
function readPartOffset(ctx: AppContext): number {
  const offset = readCount(ctx, 'Upload-Offset')
  if (ctx.get('Content-Type') === partType) return offset
  throw invalidInput([`Send the part with the header "Content-Type: ${partType}"`])
}

/** Tells the client how much has arrived, and until when the upload can be resumed. */
function setUploadHeaders(ctx: AppContext, upload: UploadRecord): void {
  ctx.set({
    'Tus-Resumable': tusVersion,
    'Upload-Offset': String(upload.receivedBytes),
    'Upload-Length': String(upload.sizeBytes),
    'Upload-Expires': upload.expiresAt.toUTCString(),
  })
}

function readCount(ctx: AppContext, name: string): number {
  const value = ctx.get(name)
  const count = Number(value)
  if (/^\d{1,15}$/.test(value) && Number.isSafeInteger(count)) return count
  throw invalidInput([`The header ${name} must be a number of bytes`])
}

/** Parses `key base64, key base64`. */
function readMetadata(header: string): Map<string, string> {
  if (header.length > maxMetadataBytes)
    throw invalidInput([`The header Upload-Metadata is longer than ${maxMetadataBytes} bytes`])
  const pairs = header.split(',').map((pair) => pair.trim().split(' '))
  return new Map(pairs.map(([key = '', value = '']) => [key, Buffer.from(value, 'base64').toString('utf8')]))
}
