import { AppError } from '#contract/app-error.ts'
import { needsOpenLibrary, type EndpointSpec } from '#contract/endpoint.ts'
import type { AuthUser } from '#server/http/context.ts'

/** Keeps the caller out of everything except the account while the library is closed. Throws `library_closed`. */
export function enforceOpenLibrary({ isLibraryClosed }: AuthUser, spec: EndpointSpec): void {
  if (!isLibraryClosed || !needsOpenLibrary(spec)) return
  throw new AppError('library_closed', 'Your library is closed because an administrator reset your account.', {
    help: 'Send your former password or a former code to POST /api/auth/open-library, or ask a super admin to open it.',
  })
}
