import { z } from 'zod'

/** Outcome of a call. Status 0: no response in time, so it is unknown whether it took effect. */
export interface Answer {
  status: number
  body: unknown
}

export interface Call {
  body?: unknown
  form?: FormData
  headers?: Record<string, string>
  timeoutMs?: number
}

/** An API user who signs in again when the session has ended, as the web app does. */
export interface Person {
  number: number
  email: string
  password: string
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** Downloads a file; undefined when there was no response. */
  download(path: string): Promise<{ status: number; content: Buffer | undefined }>
  token(): string
  signIn(): Promise<boolean>
  /** How often a session ended without a reason. */
  endedSessions(): number
}

const SignedIn = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  user: z.object({ must_change_password: z.boolean() }),
})
const Refreshed = z.object({ access_token: z.string(), refresh_token: z.string() })

const defaultTimeoutMs = 15_000

export interface PersonOptions {
  url: string
  number: number
  email: string
  password: string
}

export function createPerson({ url, number, email, password }: PersonOptions): Person {
  let tokens = { access_token: '', refresh_token: '' }
  let endedSessions = 0
  let renewal: Promise<boolean> | undefined

  async function send(method: string, path: string, call: Call = {}): Promise<Answer> {
    try {
      const response = await request(method, path, call)
      const text = await response.text()
      const isJson = response.headers.get('Content-Type')?.includes('json') ?? false
      return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text }
    } catch {
      return { status: 0, body: undefined }
    }
  }

  function request(method: string, path: string, { body, form, headers, timeoutMs = defaultTimeoutMs }: Call) {
    const payload = form ?? (body === undefined ? undefined : JSON.stringify(body))
    return fetch(new URL(path, url), {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(tokens.access_token && { Authorization: `Bearer ${tokens.access_token}` }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
      signal: AbortSignal.timeout(timeoutMs),
    })
  }

  async function signIn(): Promise<boolean> {
    const { status, body } = await send('POST', '/api/auth/signin', { body: { email, password } })
    const parsed = SignedIn.safeParse(body)
    if (status !== 200 || !parsed.success) return false
    tokens = parsed.data
    return true
  }

  /** Exchanges the refresh token; if it is rejected, the session has ended and the person signs in again. */
  async function renew(): Promise<boolean> {
    const { status, body } = await send('POST', '/api/auth/refresh', { body: { refresh_token: tokens.refresh_token } })
    const parsed = Refreshed.safeParse(body)
    if (status === 200 && parsed.success) {
      tokens = parsed.data
      return true
    }
    if (status !== 401) return false
    endedSessions += 1
    return signIn()
  }

  /** Concurrent calls of one person share one renewal. */
  function renewOnce(): Promise<boolean> {
    renewal ??= renew().finally(() => {
      renewal = undefined
    })
    return renewal
  }

  return {
    number,
    email,
    password,
    token: () => tokens.access_token,
    signIn,
    endedSessions: () => endedSessions,
    async call(method, path, call) {
      const usedToken = tokens.access_token
      const answer = await send(method, path, call)
      if (answer.status !== 401) return answer
      if (usedToken === tokens.access_token && !(await renewOnce())) return answer
      return send(method, path, call)
    },
    async download(path) {
      try {
        let response = await request('GET', path, {})
        if (response.status === 401 && (await renewOnce())) response = await request('GET', path, {})
        const content = Buffer.from(await response.arrayBuffer())
        return { status: response.status, content: response.ok ? content : undefined }
      } catch {
        return { status: 0, content: undefined }
      }
    },
  }
}
