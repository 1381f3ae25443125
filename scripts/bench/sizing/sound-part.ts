import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { callApi } from '#testing/api-calls.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { megabytes, sumCpu, sumMemory } from './figures.ts'
import type { Bench } from './bench.ts'
import { watchProductCost, type ProductCost } from './product-cost.ts'

const Uploaded = z.object({ file_id: z.string() })
const Recording = z.object({ duration: z.number() })
const Started = z.object({ job_id: z.string() })
const Job = z.object({ state: z.string(), error: z.unknown().optional() })
const modelRoles = ['engine', 'whisper', 'llama', 'ffmpeg']

/** Uploads a recording several times and prints what it takes to transcribe and to translate an hour of it. */
export async function measureSound(
  { stack: { url }, mark, token }: Bench,
  { path, copies }: { path: string; copies: number },
): Promise<void> {
  const content = new Blob([new Uint8Array(await readFile(path))])
  const ids: string[] = []
  for (let copy = 0; copy < copies; copy += 1) {
    const form = new FormData()
    form.append('audio', content, basename(path))
    ids.push((await callApi(Uploaded, `${url}/api/upload`, { token, form })).file_id)
  }
  const { duration } = await callApi(Recording, `${url}/api/recordings/${ids[0]}`, { token })
  const hours = (duration * copies) / 3600
  const transcriptions: string[] = []

  const transcribing = await measure(mark, async () => {
    for (const id of ids)
      transcriptions.push(await runJob(url, token, '/api/transcribe', { file_id: id, language: 'auto' }))
  })
  print('transcription', transcribing, { hours, copies, duration })

  const translating = await measure(mark, async () => {
    for (const id of transcriptions) {
      const json = { transcription_data: { transcription_id: id }, target_language: 'fa' }
      await runJob(url, token, '/api/translate-speakers', json)
    }
  })
  print('translation', translating, { hours, copies, duration })
}

interface Measured {
  cost: ProductCost
  seconds: number
}

async function measure(mark: string, work: () => Promise<void>): Promise<Measured> {
  const watch = watchProductCost(mark)
  const began = performance.now()
  await work()
  return { seconds: (performance.now() - began) / 1000, cost: watch.stop() }
}

function print(
  name: string,
  { cost, seconds }: Measured,
  { hours, copies, duration }: { hours: number; copies: number; duration: number },
): void {
  console.log(
    [
      `${name} of ${copies} recordings of ${duration.toFixed(0)} s: an hour of sound takes ${(seconds / hours / 60).toFixed(1)} minutes`,
      `${(sumCpu(cost, modelRoles) / hours).toFixed(0)} CPU s`,
      `engine and model at most ${megabytes(sumMemory(cost, modelRoles))}`,
    ].join(', '),
  )
}

async function runJob(url: string, token: string, path: string, json: object): Promise<string> {
  const { job_id: id } = await callApi(Started, `${url}${path}`, { token, json })
  for (;;) {
    const { state, error } = await callApi(Job, `${url}/api/jobs/${id}`, { token })
    if (state === 'done') return id
    if (state === 'failed' || state === 'cancelled')
      throw new Error(`${path} ended as ${state}: ${JSON.stringify(error)}`)
    await sleep(250)
  }
}
