import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { callApi, signInAsFirstAdmin } from '#testing/api-calls.ts'
import type { Stack } from '#testing/stack.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'

const sample = join(import.meta.dirname, '../../../models/demo/sample-call.mp3')
const Uploaded = z.object({ file_id: z.string() })
const Started = z.object({ job_id: z.string() })
const Job = z.object({ created_at: z.string(), started_at: z.string().nullable(), state: z.string() })
const Message = z.object({ data: z.object({ job_id: z.string(), finished_at: z.string() }) })

/** Longer than a process stays active after a change. */
const restMs = 45_000
const rounds = 3

/** Prints how soon a job that comes at rest begins, and how soon after its end its webhook arrives. */
export async function measureLatency({ url, dataDir }: Stack): Promise<void> {
  const arrivals = new Map<string, number>()
  const receiver = await startWebhookReceiver((response, { body }) => {
    const { data } = Message.parse(JSON.parse(body))
    arrivals.set(data.job_id, Date.now() - Date.parse(data.finished_at))
    response.writeHead(204).end()
  })
  try {
    const token = await signInAsFirstAdmin(url, dataDir)
    const json = { url: receiver.url, events: ['job.finished'] }
    await callApi(z.unknown(), `${url}/api/webhooks`, { token, json })
    for (let round = 1; round <= rounds; round += 1) {
      const form = new FormData()
      form.append('audio', await openAsBlob(sample), `call ${round}.mp3`)
      const { file_id: fileId } = await callApi(Uploaded, `${url}/api/upload`, { token, form })
      await wait(restMs)
      // Another language each time, so that it is not the same work.
      const request = { file_id: fileId, language: ['ps', 'fa', 'ur'][round - 1] }
      const { job_id: id } = await callApi(Started, `${url}/api/transcribe`, { token, json: request })
      while (!arrivals.has(id)) await wait(100)
      const { created_at: createdAt, started_at: startedAt } = await callApi(Job, `${url}/api/jobs/${id}`, { token })
      const pickUpMs = Date.parse(startedAt ?? '') - Date.parse(createdAt)
      console.log(`a job that comes at rest begins after ${pickUpMs} ms; its webhook after ${arrivals.get(id)} ms`)
    }
  } finally {
    await receiver.close()
  }
}
