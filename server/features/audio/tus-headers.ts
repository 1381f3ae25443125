import { AppError } from '#contract/app-error.ts'
import { tusVersion } from '#contract/endpoints/uploads.ts'
import type { UploadRecord } from '#data/uploads/uploads.ts'
import type { AppContext } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'

const partType = 'application/offset+octet-stream'
const maxMetadataBytes = 4_096
const maxFingerprintLength = 500

/** Names the version of the protocol in the response. Throws `unsupported_version` where the request has none or another one. */
export function requireTusVersion(ctx: AppContext): void {
  ctx.set('Tus-Resumable', tusVersion)
  if (ctx.get('Tus-Resumable') === tusVersion) return
  ctx.set('Tus-Version', tusVersion)
  throw new AppError('unsupported_version', `Send the header "Tus-Resumable: ${tusVersion}".`)
}

/** What a client says of a file before it sends it. */
interface AnnouncedFile {
  sizeBytes: number
  name: string
  fingerprint: string
}

/** Reads the headers that begin an upload. Throws `invalid_input`. */
export function readAnnouncedFile(ctx: AppContext): AnnouncedFile {
  const sizeBytes = readCount(ctx, 'Upload-Length')
  const metadata = readMetadata(ctx.get('Upload-Metadata'))
  const name = metadata.get('filename')
  if (!name) throw invalidInput(['Name the file in the header Upload-Metadata: filename and its name in base64'])
  return { sizeBytes, name, fingerprint: (metadata.get('fingerprint') ?? '').slice(0, maxFingerprintLength) }
}

/** Reads where a part begins. Throws `invalid_input`. */
export function readPartOffset(ctx: AppContext): number {
  const offset = readCount(ctx, 'Upload-Offset')
  if (ctx.get('Content-Type') === partType) return offset
  throw invalidInput([`Send the part with the header "Content-Type: ${partType}"`])
}

/** Tells the client how much has arrived, and until when it can resume. */
export function setUploadHeaders(ctx: AppContext, upload: UploadRecord): void {
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

/** Reads `key base64, key base64`. */
function readMetadata(header: string): Map<string, string> {
  if (header.length > maxMetadataBytes)
    throw invalidInput([`The header Upload-Metadata is longer than ${maxMetadataBytes} bytes`])
  const pairs = header.split(',').map((pair) => pair.trim().split(' '))
  return new Map(pairs.map(([key = '', value = '']) => [key, Buffer.from(value, 'base64').toString('utf8')]))
}
