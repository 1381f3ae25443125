import { apiUrl, credentials } from './origin.ts'
import { readAccessToken } from './tokens.ts'

interface EarlyRequest {
  token: string
  startedMs: number
  response: Promise<Response | undefined>
}

/** What is asked for much later than it was fetched is fetched again. */
const maxAgeMs = 30_000

const requests = new Map<string, EarlyRequest>()

/** Fetches paths of the API that the page is going to ask for, while its scripts are still loaded. Only with a token. */
export function requestEarly(paths: readonly string[]): void {
  const token = readAccessToken()
  if (token === undefined) return
  const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` }
  for (const path of paths) {
    const response = fetch(apiUrl(path), { credentials, headers }).catch(() => undefined)
    requests.set(path, { token, startedMs: Date.now(), response })
  }
}

/** Returns the response that was fetched early with this token, once; undefined where none succeeded. */
export async function takeEarlyResponse(path: string, token: string | undefined): Promise<Response | undefined> {
  const request = requests.get(path)
  if (!request) return undefined
  requests.delete(path)
  if (request.token !== token || Date.now() - request.startedMs > maxAgeMs) return undefined
  const response = await request.response
  return response?.ok ? response : undefined
}
