import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { UploadResult } from '../entities/recording.ts'
import { Id, IdParams, Moment } from '../scalars.ts'

/** The size of one request of the web app: 32 MiB, below the 100 MB that reverse proxies commonly accept. */
export const resumablePartBytes = 32 * 1024 * 1024

/** The maximum number of unfinished uploads per user. */
export const maxOpenUploads = 50

/** The version of the protocol: https://tus.io/protocols/resumable-upload. */
export const tusVersion = '1.0.0'

/** A resumable upload that still lacks bytes, or that has not been finished. */
export const UnfinishedUpload = z.object({
  id: Id,
  name: z.string(),
  size: z.int().nonnegative(),
  received: z.int().nonnegative(),
  /** The fingerprint by which the client recognizes the file; empty if it sent none. */
  fingerprint: z.string(),
  created_at: Moment,
  /** When the upload is removed unless more bytes arrive first. */
  expires_at: Moment,
})
export type UnfinishedUpload = z.infer<typeof UnfinishedUpload>

/**
 * Uploads in parts by the tus protocol 1.0.0 with its extensions creation, termination and expiration
 * (docs/decisions/resumable-uploads.md). A finished upload goes through the checks of `audio.upload` and gets the same responses.
 */
export const uploads = {
  list: endpoint({
    method: 'GET',
    path: '/api/uploads',
    access: 'user',
    summary: 'The unfinished resumable uploads of the user, oldest first',
    response: z.object({ uploads: z.array(UnfinishedUpload) }),
    errors: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/uploads',
    access: 'user',
    summary:
      'Begin a resumable upload (tus 1.0.0): headers Tus-Resumable, Upload-Length, Upload-Metadata with filename and, if wanted, fingerprint; Location names the upload',
    response: UnfinishedUpload,
    status: 201,
    limit: { max: maxOpenUploads, error: 'conflict' },
    errors: ['invalid_input', 'unsupported_version', 'upload_too_large', 'unsupported_audio', 'conflict', 'disk_full'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/uploads/:id',
    access: 'user',
    summary: 'A resumable upload; HEAD tells by Upload-Offset and Upload-Length how much has arrived',
    params: IdParams,
    response: UnfinishedUpload,
    errors: ['not_found'],
  }),
  send: endpoint({
    method: 'PATCH',
    path: '/api/uploads/:id',
    access: 'user',
    summary:
      'Send the next part of a resumable upload as application/offset+octet-stream: headers Tus-Resumable, Upload-Offset',
    params: IdParams,
    response: z.unknown(),
    status: 204,
    transport: 'bytes',
    errors: ['unsupported_version', 'not_found', 'conflict', 'upload_too_large', 'disk_full'],
  }),
  finish: endpoint({
    method: 'POST',
    path: '/api/uploads/:id/finish',
    access: 'user',
    summary: 'Make a recording of a resumable upload that is complete; repeated, it returns the same recording',
    params: IdParams,
    response: UploadResult,
    status: 201,
    errors: ['not_found', 'conflict', 'upload_too_large', 'unsupported_audio', 'unreadable_audio', 'no_audio'],
  }),
  discard: endpoint({
    method: 'DELETE',
    path: '/api/uploads/:id',
    access: 'user',
    summary: 'Discard a resumable upload with what was received',
    params: IdParams,
    response: z.unknown(),
    status: 204,
    errors: ['not_found'],
  }),
}
