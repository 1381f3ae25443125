import { t } from '#contract/texts/t.ts'
import { ApiError, isSessionExpired, messageOf } from '../api/api-error.ts'
import { formatMegabytes } from '../format.ts'

export interface UploadFailure {
  message: string
  /** What can be done about it. */
  help?: string
}

/** Proxies commonly accept 1 MB unless configured otherwise; a smaller file failed for another reason. */
const commonProxyLimitBytes = 1024 * 1024

const limitHelp = t(
  'Administrators: raise the limit for request bodies in the reverse proxy to 110 MB, such as client_max_body_size in nginx.',
)

/** Returns why a file could not be uploaded. A response without our code was written by a proxy in front of the server. */
export function describeFailure(error: unknown, sizeBytes: number): UploadFailure {
  if (isSessionExpired(error)) {
    return { message: t('Your session has expired. Please log in again.'), help: t('The file waits here until then.') }
  }
  if (!(error instanceof ApiError)) return { message: t('Network error occurred') }
  const isOfProxy = error.code === undefined
  if (error.status === 413 && isOfProxy) {
    return {
      message: t('The server in front of Awaz accepts smaller files only. This file has {sizeBytes}.', {
        sizeBytes: formatMegabytes(sizeBytes),
      }),
      help: limitHelp,
    }
  }
  if (error.status >= 500 && isOfProxy) {
    return {
      message: t('The server cannot be reached ({status}). Please try again in a moment.', { status: error.status }),
    }
  }
  const message = messageOf(error, t('Network error occurred'))
  if (error.status !== 0 || sizeBytes <= commonProxyLimitBytes)
    return { message, ...(error.help && { help: error.help }) }
  return { message, help: t('If smaller files arrive, the server in front of Awaz may limit their size.') }
}
