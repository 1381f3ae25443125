import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { type Call, type FillOptions, password, signIn, transcribe, uploadCut } from './fill.ts'
import type { OfficeData } from './old-data.ts'

const recordingCount = 200
/** The first recordings have transcripts. */
const transcriptCount = 5
const watchedWord = 'brother'
/** Nothing listens there, so deliveries wait. */
const deafAddress = 'http://127.0.0.1:9/hook'
const tags = ['urgent', 'border', 'weekly']

/** Fills an old product like an office's: 200 tagged recordings, some transcripts, alerts and a webhook whose deliveries are waiting. */
export async function fillOffice({
  url,
  initial,
  ...sound
}: FillOptions): Promise<Omit<OfficeData, 'commit' | 'madeAt' | 'documents'>> {
  const first = await signIn(url, initial)
  await first.call('POST', '/api/auth/change-password', { current_password: initial.password, new_password: password })
  const admin = { email: initial.email, password }
  const { call, token } = await signIn(url, admin)
  await call('POST', '/api/alerts/watch-lists', { name: 'Relatives', words: [watchedWord] })
  await call('POST', '/api/webhooks', { url: deafAddress, events: ['job.finished', 'alert.raised'] })
  const recordings = []
  for (let number = 0; number < recordingCount; number += 1) {
    const cut =
      number < transcriptCount
        ? { startSeconds: 0.5 + number / 100, seconds: 3.7 }
        : { startSeconds: (number % 60) / 8, seconds: 0.4 + number / 2000 }
    const name = `call ${String(number).padStart(3, '0')}.mp3`
    recordings.push(await uploadCut({ url, token, ...sound }, { ...cut, name, bitRate: '16k' }))
  }
  const words: Record<string, string[]> = {}
  for (const { id } of recordings.slice(0, transcriptCount)) words[id] = await transcribe(call, id)
  const tagged: Record<string, string[]> = {}
  for (const [at, tag] of tags.entries()) {
    const ids = recordings.filter((_, number) => number % tags.length === at).map(({ id }) => id)
    await call('POST', '/api/library/tags', { selection: { ids }, add: [tag] })
    for (const id of ids) tagged[id] = [tag]
  }
  const { alerts, deliveries } = await waitForWork(call)
  return {
    admin,
    recordings: recordings.map(({ id, name }) => ({ id, name, tags: tagged[id] ?? [], words: words[id] ?? null })),
    alerts,
    deliveries,
  }
}

const Alerts = z.object({ alerts: z.array(z.object({ id: z.string(), recording: z.object({ id: z.string() }) })) })
const Webhooks = z.object({ webhooks: z.array(z.object({ id: z.string() })) })
const Deliveries = z.object({
  deliveries: z.array(z.object({ id: z.string(), state: z.literal('waiting') })),
})

/** Waits until every transcript has raised its alert and the deliveries for both events are waiting; returns alerts and deliveries. */
async function waitForWork(call: Call): Promise<Pick<OfficeData, 'alerts' | 'deliveries'>> {
  for (;;) {
    const { alerts } = Alerts.parse(await call('GET', '/api/alerts'))
    const { webhooks } = Webhooks.parse(await call('GET', '/api/webhooks'))
    const { deliveries } = Deliveries.parse(await call('GET', `/api/webhooks/${webhooks[0]?.id ?? ''}/deliveries`))
    if (alerts.length === transcriptCount && deliveries.length === 2 * transcriptCount)
      return {
        alerts: alerts.map(({ id, recording }) => ({ id, recordingId: recording.id })),
        deliveries: deliveries.map(({ id }) => id),
      }
    await wait(1000)
  }
}
