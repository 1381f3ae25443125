import { vi } from 'vitest'

interface Answer {
  status?: number
  body: unknown
}

type Handler = (request: { body: unknown; headers: Headers; url: string }) => Answer | Promise<Answer>

/** Stands in for the server at the network's edge. Keys are `METHOD /path`; an unexpected call fails the test by its 404. */
export function fakeServer(handlers: Record<string, Handler>) {
  const calls: { key: string; body: unknown; headers: Headers }[] = []
  const fake = vi.fn(async (input: string | URL | Request, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input)
    const key = `${init?.method ?? 'GET'} ${url.replace(/\?.*/, '')}`
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    const headers = new Headers(init?.headers)
    calls.push({ key, body, headers })
    const answer = (await handlers[key]?.({ body, headers, url })) ?? { status: 404, body: { error: `no ${key}` } }
    return Response.json(answer.body, { status: answer.status ?? 200 })
  })
  vi.stubGlobal('fetch', fake)
  return calls
}

/** A user as the server answers one. */
export const someUser = {
  id: '0123456789abcdef01234567',
  first_name: 'Nadia',
  last_name: 'Ahmadi',
  username: 'nadia',
  email: 'nadia@example.org',
  role: 'user',
  is_active: true,
  is_verified: true,
  two_factor_enabled: false,
  must_change_password: false,
  created_at: '2026-01-02T03:04:05.000Z',
  last_login: null,
}
