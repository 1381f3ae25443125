import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { callApi } from '#testing/api-calls.ts'
import { addUser, signInForApi, type StackFacts } from './stack-users.ts'

/** The demo call: Pashto on the left channel, English on the right. */
export const sample = join(dirname(dirname(import.meta.dirname)), 'models/demo/sample-call.mp3')
const jobTimeoutMs = 180_000

/** The demo call in the open stack, transcribed and translated into English. */
export interface SharedCall {
  recordingId: string
}

const Job = z.object({ state: z.string() })
const JobId = z.object({ job_id: z.string() })

/** Uploads the demo call as a separate user, has it transcribed and translated into English, and returns it. */
export async function makeSharedCall(stack: StackFacts): Promise<SharedCall> {
  const owner = await addUser(stack, { mustChangePassword: false })
  const { access_token: token } = await signInForApi(stack.url, owner)
  const recordingId = await uploadSample(stack.url, token)
  const languages = { language: 'ps', channel_languages: ['ps', 'en'] }
  const transcriptionId = await runJob(stack.url, token, '/api/transcribe', { file_id: recordingId, ...languages })
  const transcription = { transcription_data: { transcription_id: transcriptionId }, target_language: 'en' }
  await runJob(stack.url, token, '/api/translate-speakers', transcription)
  return { recordingId }
}

/** Uploads the demo call and returns its id. */
async function uploadSample(url: string, token: string): Promise<string> {
  const form = new FormData()
  form.append('audio', new Blob([new Uint8Array(await readFile(sample))]), basename(sample))
  return (await callApi(z.object({ file_id: z.string() }), `${url}/api/upload`, { token, form })).file_id
}

/** Starts a job, waits until it is done and returns its id. */
export async function runJob(url: string, token: string, path: string, json: object): Promise<string> {
  const { job_id: id } = await callApi(JobId, `${url}${path}`, { token, json })
  const endMs = Date.now() + jobTimeoutMs
  while (Date.now() < endMs) {
    const { state } = await callApi(Job, `${url}/api/jobs/${id}`, { token })
    if (state === 'done') return id
    if (state === 'failed' || state === 'cancelled') throw new Error(`${path} ended as ${state}`)
    await setTimeout(200)
  }
  throw new Error(`${path} did not end within ${jobTimeoutMs / 1000} s`)
}
