import { z } from 'zod'

/** Machine-readable error codes and their HTTP status. */
export const errorStatus = {
  invalid_input: 400,
  wrong_password: 400,
  wrong_code: 400,
  sign_in_failed: 401,
  session_missing: 401,
  session_expired: 401,
  forbidden: 403,
  account_deactivated: 403,
  verification_required: 403,
  two_factor_required: 403,
  registration_proof_missing: 403,
  registration_closed: 403,
  invitation_invalid: 403,
  sso_denied: 403,
  password_change_required: 403,
  password_confirmation_required: 403,
  password_expired: 403,
  library_closed: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  on_hold: 409,
  email_taken: 409,
  username_taken: 409,
  two_factor_enabled: 409,
  unsupported_version: 412,
  upload_too_large: 413,
  unsupported_encoding: 415,
  unsupported_audio: 415,
  unreadable_audio: 422,
  no_audio: 422,
  unsupported_language: 422,
  unsupported_pair: 422,
  model_unavailable: 422,
  account_locked: 423,
  rate_limited: 429,
  too_many_jobs: 429,
  too_many_streams: 429,
  job_cancelled: 409,
  internal: 500,
  mail_failed: 502,
  job_failed: 500,
  unavailable: 503,
  provider_unavailable: 503,
  queue_full: 503,
  disk_full: 507,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof errorStatus

export const ErrorCode = z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]) // keys of a const object

/**
 * The body of every error response (docs/architecture.md, "API"). `error` is a sentence for the user, and `help` says what can be done.
 * `details` has one sentence per error, and `fields` has the sentences for each request field, by field name.
 */
export const ErrorBody = z.object({
  error: z.string(),
  code: ErrorCode,
  details: z.array(z.string()).optional(),
  fields: z.record(z.string(), z.array(z.string())).optional(),
  help: z.string().optional(),
  remaining_seconds: z.int().nonnegative().optional(),
  request_id: z.string().optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
