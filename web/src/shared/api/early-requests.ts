import { apiUrl, credentials } from './origin.ts'
import { readAccessToken } from './tokens.ts'

interface EarlyRequest {
  token: string
  startedMs: number
  response: Promise<Response | undefined>
}

/** An early response older than this is not used; the path is fetched again. */
const maxAgeMs = 30_000

const requests = new Map<string, EarlyRequest>()

/** Fetches API paths that the page is going to request, while its scripts are still loading. Does nothing without a token. */
export function requestEarly(paths: readonly string[]): void {
  const token = readAccessToken()
  if (token === undefined) return
  const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` }
  for (const path of paths) {
    const response = fetch(apiUrl(path), { credentials, headers }).catch(() => undefined)
    requests.set(path, { token, startedMs: Date.now(), response })
  }
}

/** Returns the response fetched early with this token, only once; undefined if no early request succeeded. */
export async function takeEarlyResponse(path: string, token: string | undefined): Promise<Response | undefined> {
  const request = requests.get(path)
  if (!request) return undefined
  requests.delete(path)
  if (request.token !== token || Date.now() - request.startedMs > maxAgeMs) return undefined
  const response = await request.response
  return response?.ok ? response : undefined
}
