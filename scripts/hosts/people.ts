import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { UploadResult } from '#contract/entities/recording.ts'
import type { LedgerUpload } from '../chaos/ledger.ts'
import type { Load } from '../chaos/load.ts'
import type { Person } from '../chaos/person.ts'
import { describeRequest, type Observation } from './observations.ts'

const timeoutMs = 15_000
/** Checking a file may take long. */
const finishTimeoutMs = 30_000
const pauseMs = 400
const listenEveryMs = 500
const uploadEveryMs = 3_000
const rangeBytes = 20_000
const parts = 4

/** A simulated user whose requests are recorded. */
export interface ObservedPerson extends Person {
  /** Sends a request without retries; undefined if no response came in time. */
  send(
    method: string,
    path: string,
    request?: { headers?: Record<string, string>; body?: Uint8Array<ArrayBuffer>; limitMs?: number },
  ): Promise<RawAnswer | undefined>
}

export interface RawAnswer {
  status: number
  headers: Headers
  content: Buffer<ArrayBuffer>
}

/** Wraps a user so that each request is recorded, along with whether it was answered. */
export function observe(person: Person, url: string, note: (observation: Observation) => void): ObservedPerson {
  async function noted<Answer extends { status: number } | undefined>(
    method: string,
    path: string,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const startedAtMs = performance.now()
    const answer = await send()
    const what = describeRequest(method, path)
    note({ person: person.number, what, startedAtMs, endedAtMs: performance.now(), status: answer?.status ?? 0 })
    return answer
  }

  return {
    ...person,
    call: (method, path, call) => noted(method, path, () => person.call(method, path, call)),
    download: (path) => noted('GET', path, () => person.download(path)),
    async send(method, path, { headers, body, limitMs = timeoutMs } = {}) {
      const answer = await noted(method, path, async () => {
        try {
          const response = await fetch(new URL(path, url), {
            method,
            headers: { ...headers, Authorization: `Bearer ${person.token()}` },
            ...(body && { body }),
            signal: AbortSignal.timeout(limitMs),
          })
          const content = Buffer.from(await response.arrayBuffer())
          return { status: response.status, headers: response.headers, content }
        } catch {
          return undefined
        }
      })
      if (answer?.status === 401) await person.call('GET', '/api/auth/profile') // renews the session
      return answer
    },
  }
}

/** Requests parts of uploaded recordings as a player does, and compares them, until `stopping` aborts. */
export async function keepListening(person: ObservedPerson, { ledger, stopping }: Load, call: Buffer): Promise<void> {
  for (let count = 0; !stopping.aborted; count += 1) {
    await wait(listenEveryMs)
    const own = ledger.uploads.filter(({ person: owner, state }) => owner === person.number && state === 'kept')
    const upload = own[count % Math.max(1, own.length)]
    if (!upload) continue
    const start = (count * 7_919) % (call.length - rangeBytes)
    const end = start + rangeBytes - 1
    const answer = await person.send('GET', `/api/audio/${upload.id}`, { headers: { Range: `bytes=${start}-${end}` } })
    if (answer?.status !== 206 || upload.state !== 'kept') continue
    // The uploads of the run are the demo call with a different end.
    if (!answer.content.equals(call.subarray(start, end + 1)))
      ledger.find('lost', upload.round, `bytes ${start} to ${end} of recording ${upload.id} are others`)
  }
}

/** Uploads the demo call in parts, each to any server that answers, until `stopping` aborts. */
export async function keepSendingParts(person: ObservedPerson, load: Load, call: Buffer): Promise<void> {
  for (let count = 0; !load.stopping.aborted; count += 1) {
    await uploadInParts(person, load, { call, name: `${person.number} in parts ${count}.mp3` })
    await wait(uploadEveryMs)
  }
}

async function uploadInParts(
  person: ObservedPerson,
  { ledger, round: roundNow, stopping }: Load,
  { call, name }: { call: Buffer; name: string },
): Promise<void> {
  const content = Buffer.concat([call, Buffer.from(`TAG${name}`.padEnd(128, '\0'))])
  const tus = { 'Tus-Resumable': '1.0.0' }
  const round = roundNow()
  const metadata = `filename ${Buffer.from(name).toString('base64')}`
  const begun = await person.send('POST', '/api/uploads', {
    headers: { ...tus, 'Upload-Length': String(content.length), 'Upload-Metadata': metadata },
  })
  const path = begun?.headers.get('Location')
  if (begun?.status !== 201 || !path) return
  const lost = (what: string) => ledger.find('lost', round, `the upload ${path} is gone when ${what}`)

  while (!stopping.aborted) {
    const head = await person.send('HEAD', path, { headers: tus })
    if (head?.status === 404) return lost('it goes on')
    const offset = Number(head?.headers.get('Upload-Offset') ?? Number.NaN)
    if (offset === content.length) break
    if (head?.status === 200 && offset < content.length) {
      const body = new Uint8Array(content.subarray(offset, offset + Math.ceil(content.length / parts)))
      const headers = { ...tus, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' }
      const sent = await person.send('PATCH', path, { headers, body })
      if (sent?.status === 204) continue
    }
    await wait(pauseMs)
  }
  while (!stopping.aborted) {
    const finished = await person.send('POST', `${path}/finish`, { limitMs: finishTimeoutMs })
    if (finished?.status === 404) return lost('it is finished')
    if (finished?.status === 201) {
      const { file_id: id } = UploadResult.parse(JSON.parse(finished.content.toString()))
      const sha256 = createHash('sha256').update(content).digest('hex')
      const upload: LedgerUpload = {
        id,
        person: person.number,
        sha256,
        round,
        name,
        state: 'kept',
        isVerified: false,
        isSpare: true,
      }
      ledger.uploads.push(upload)
      ledger.counts.uploads += 1
      return
    }
    await wait(pauseMs)
  }
}
