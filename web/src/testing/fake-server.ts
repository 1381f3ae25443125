import { vi } from 'vitest'
import type { User } from '#contract/entities/user.ts'

interface FakeResponse {
  status?: number
  statusText?: string
  body: unknown
}

type Handler = (request: {
  body: unknown
  headers: Headers
  url: string
}) => FakeResponse | Response | Promise<FakeResponse | Response>

/** Replaces `fetch` by handlers, keyed by `METHOD /path`; answers 404 to calls without a handler. Returns the list of calls. */
export function fakeServer(handlers: Record<string, Handler>) {
  const calls: { key: string; body: unknown; headers: Headers }[] = []
  const fake = vi.fn(async (input: string | URL | Request, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input)
    const key = `${init?.method ?? 'GET'} ${url.replace(/\?.*/, '')}`
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    const headers = new Headers(init?.headers)
    calls.push({ key, body, headers })
    const response = (await handlers[key]?.({ body, headers, url })) ?? { status: 404, body: { error: `no ${key}` } }
    if (response instanceof Response) return response
    return Response.json(response.body, { status: response.status ?? 200, statusText: response.statusText ?? '' })
  })
  vi.stubGlobal('fetch', fake)
  return calls
}

/** Returns an error response; without `error` it has no message, so that the screen shows its own. */
export function failure(status: number, error?: string, extra: object = {}): FakeResponse {
  return { status, body: { ...(error && { error }), code: 'internal', ...extra } }
}

/** Throws what `fetch` throws when the network is unreachable. */
export function offline(): never {
  throw new TypeError('Failed to fetch')
}

/** The public configuration of the server. */
export const serverConfig = {
  signin_requires_verified: true,
  gate_requires_verified: false,
  gate_requires_2fa: false,
  is_smtp_configured: true,
  registration: 'open',
  registration_domains: [] as string[],
  sign_in_providers: [],
  max_upload_bytes: 104_857_600,
  retention_days: 0,
  version: '1',
}

/** A user as the server returns one. */
export const someUser: User = {
  id: '0123456789abcdef01234567',
  first_name: 'Nadia',
  last_name: 'Ahmadi',
  username: 'nadia',
  email: 'nadia@example.org',
  role: 'user',
  is_active: true,
  is_verified: true,
  two_factor_enabled: false,
  two_factor_grace: false,
  two_factor_due: null,
  printed_codes_left: null,
  must_change_password: false,
  has_password: true,
  has_passkey: false,
  created_at: '2026-01-02T03:04:05.000Z',
  last_login: null,
}
