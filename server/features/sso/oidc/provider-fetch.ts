import { AppError } from '#contract/app-error.ts'
import { isSafeAddress } from '../provider-rules.ts'

/** A provider's documents are a few kilobytes; many keys or groups make them longer. */
const maxResponseBytes = 1024 * 1024
const bodilessStatuses = new Set([204, 205, 304])

interface FetchOptions extends RequestInit {
  signal?: AbortSignal
}

/**
 * Calls a provider: over https (provider-rules.ts), without following redirects, and with a response of at most 1 MiB. Throws
 * `provider_unavailable` if the network or the provider (5xx) fails.
 */
export async function fetchFromProvider(address: string, options: FetchOptions): Promise<Response> {
  if (!isSafeAddress(address)) throw unavailableError('It names an address without https.')
  try {
    const response = await fetch(address, { ...options, redirect: 'manual' })
    const body = await readLimited(response)
    if (response.status >= 500) throw unavailableError(`It responded with status ${response.status}.`)
    const { status, statusText, headers } = response
    return new Response(bodilessStatuses.has(status) ? null : body, { status, statusText, headers })
  } catch (error) {
    throw error instanceof AppError ? error : unavailableError(reasonOf(error), error)
  }
}

async function readLimited({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of body ?? []) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxResponseBytes) throw unavailableError('Its response is larger than 1 MiB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns the error for a provider that is currently unusable; the reason is for administrators. */
export function unavailableError(reason: string, cause?: unknown): AppError {
  return new AppError(
    'provider_unavailable',
    'This way of signing in does not work now. Please try again in a few minutes, or sign in another way.',
    { help: reason, cause },
  )
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'It did not respond.'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'It did not respond in time.'
  const { cause } = error
  return cause instanceof Error && cause.message !== ''
    ? `It cannot be reached: ${cause.message}.`
    : 'It cannot be reached.'
}
