import { request } from 'node:http'
import type { Answer, Person } from '../../chaos/person.ts'

/** The target of an attack, and what the attacker has. */
export interface ServerUnderAttack {
  url: string
  /** Somebody with an account, and their password. */
  attacker: Person
  password: string
  /** Index of the phase, from 0. Each phase attacks from other addresses. */
  phase: number
}

/** Another call that somebody else makes during the attack. */
export interface ExtraCall {
  name: string
  make: () => Promise<Answer>
}

export interface Attack {
  name: string
  /** Called on the running product before anything is measured. Resolves with what the other user does besides signing in and uploading. */
  setUp?: (product: { dataDir: string; attacker: Person; victim: Person }) => Promise<ExtraCall[]>
  /** How much memory the server may use above idle, in bytes. Default: half of its idle memory plus 100 MB. */
  maxGrowthBytes?: number
  /** Prepares what the attack needs, such as a file, before anything is measured. */
  prepare?: () => Promise<void>
  /** Free space on the data disk. Default: that of the machine. */
  diskBytes?: number
  /** Attacks until `signal` aborts, and leaves nothing running. Resolves with what happened, in a few words. */
  run: (target: ServerUnderAttack, signal: AbortSignal) => Promise<string>
}

/** Sends a JSON body from one of this machine's own addresses. Resolves with the status, 0 when nothing was answered. */
export function postFrom(
  localAddress: string,
  url: string,
  { path, body, token, signal }: { path: string; body: object; token?: string; signal: AbortSignal },
): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
    const sent = request(new URL(path, url), { method: 'POST', localAddress, headers, signal, agent: false })
    sent.on('response', (response) => {
      response.resume()
      response.on('close', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', () => resolve(0))
    sent.end(JSON.stringify(body))
  })
}

/** Resolves when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Counts each status, such as "97 x 401, 3 x 503". */
export function countStatuses(statuses: number[]): string {
  const counts = new Map<number, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} x ${status || 'no answer'}`).join(', ')
}
