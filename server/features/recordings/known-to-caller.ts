import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { AppContext } from '#server/http/context.ts'

/**
 * Sets the headers of a response that depends only on a recording's file, and status 304 if the caller already has it: such a response is
 * sent without a body. `version` is the version of the response's meaning.
 */
export function isKnownToCaller(
  ctx: AppContext,
  { sha256 }: Pick<RecordingRecord, 'sha256'>,
  version: number,
): boolean {
  ctx.set({ 'Cache-Control': 'private, no-cache', ETag: `"${sha256.slice(0, 32)}-${version}"` })
  ctx.status = 200
  if (!ctx.fresh) return false
  ctx.status = 304
  return true
}
