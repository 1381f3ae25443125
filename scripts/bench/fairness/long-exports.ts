import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { transcriptFormats } from '#contract/transcript-formats.ts'
import { connectDatabase } from '#data/connect.ts'
import { storeLongCall } from '#testing/long-call.ts'
import type { Person } from '../../chaos/person.ts'
import { countStatuses, untilAborted, type Attack, type ServerUnderAttack } from './attack.ts'

const Profile = z.object({ user: z.object({ id: z.string() }) })
const minutes = 180
const exportCount = 200
const mb = 1024 ** 2
const callTimeoutMs = 60_000

let recordingId = ''

/** 200 simultaneous downloads of a three-hour call, in all formats; refused ones are retried after the time that the server says. */
export const exportsOfLongCall: Attack = {
  name: '200 exports of a 3-hour call',
  maxGrowthBytes: 300 * mb,
  async setUp({ dataDir, attacker, victim }) {
    const mongodbUri = (await readFile(join(dataDir, 'db/uri'), 'utf8')).trim()
    const database = await connectDatabase({ mongodbUri })
    try {
      recordingId = (await storeLongCall(database, await idOf(attacker), { minutes })).recordingId
      const { recordingId: short } = await storeLongCall(database, await idOf(victim), { minutes: 1 })
      const get = (path: string) => () => victim.call('GET', path, { timeoutMs: callTimeoutMs })
      return [
        { name: 'library', make: get('/api/library') },
        { name: 'transcript', make: get(`/api/recordings/${short}?compact=true`) },
        { name: 'Word file', make: get(`/api/recordings/${short}/export?format=docx`) },
      ]
    } finally {
      await database.close()
    }
  },
  async run(target, signal) {
    const statuses: number[] = []
    const downloads = Array.from({ length: exportCount }, (_, at) => downloadAgain(target, { at, signal, statuses }))
    await untilAborted(signal)
    await Promise.all(downloads)
    return `answers: ${countStatuses(statuses)}`
  },
}

/** Retries a download until it succeeds or `signal` aborts. */
async function downloadAgain(
  { url, attacker }: ServerUnderAttack,
  { at, signal, statuses }: { at: number; signal: AbortSignal; statuses: number[] },
): Promise<void> {
  const format = transcriptFormats[at % transcriptFormats.length]
  const address = new URL(`/api/recordings/${recordingId}/export?format=${format}`, url)
  while (!signal.aborted) {
    try {
      const response = await fetch(address, { headers: { Authorization: `Bearer ${attacker.token()}` }, signal })
      await response.arrayBuffer()
      statuses.push(response.status)
      if (response.ok) return
      await wait(Number(response.headers.get('Retry-After') ?? 5) * 1000, undefined, { signal })
    } catch {
      if (signal.aborted) return
      statuses.push(0)
      await wait(1000)
    }
  }
}

async function idOf(person: Person): Promise<string> {
  return Profile.parse((await person.call('GET', '/api/auth/profile')).body).user.id
}
