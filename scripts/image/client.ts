import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { z } from 'zod'
import { api } from '#contract/api.ts'
import { Tokens } from '#contract/endpoints/auth.ts'
import { UploadResult } from '#contract/entities/recording.ts'
import { TranscriptionResult } from '#contract/transcription.ts'
import { TranslationResult } from '#contract/translation.ts'

const base = 'http://127.0.0.1:5000'

interface CallInput {
  method?: string
  token?: string
  body?: FormData | Record<string, unknown>
}

/** Throws with the response unless it is a success. */
async function call(path: string, { method = 'POST', token, body }: CallInput): Promise<Response> {
  const isForm = body instanceof FormData
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(!isForm && body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response
}

async function parse<Schema extends z.ZodType>(schema: Schema, response: Promise<Response>): Promise<z.infer<Schema>> {
  return schema.parse(await (await response).json())
}

/** Whether the server reports that database, disk and engine are available. */
async function isReady(): Promise<boolean> {
  const answer = await fetch(`${base}${api.system.ready.path}`).catch(() => undefined)
  return answer?.ok === true
}

/** Resolves once the server is ready. Throws after `maxMs`. */
export async function waitUntilReady(maxMs: number): Promise<void> {
  const startMs = performance.now()
  while (!(await isReady())) {
    if (performance.now() - startMs > maxMs) throw new Error(`Awaz was not ready after ${maxMs / 1000} s`)
    await setTimeout(50)
  }
}

/** Signs in. Returns the access token. */
export async function signIn(email: string, password: string): Promise<string> {
  const tokens = await parse(Tokens, call(api.auth.signIn.path, { body: { email, password } }))
  return tokens.access_token
}

export async function changePassword(token: string, current: string, next: string): Promise<void> {
  const body = { current_password: current, new_password: next }
  await call(api.profile.changePassword.path, { method: api.profile.changePassword.method, token, body })
}

/** Uploads and transcribes a file. Returns the recording's id and the transcript's text. */
export async function transcribe(token: string, file: string): Promise<{ id: string; text: string }> {
  const form = new FormData()
  form.append('audio', new Blob([new Uint8Array(await readFile(file))]), 'sample-call.mp3')
  const { file_id: id } = await parse(UploadResult, call(api.audio.upload.path, { token, body: form }))
  const body = { file_id: id, channel_languages: ['ps', 'en'] }
  const result = await parse(TranscriptionResult, call(api.audio.transcribe.path, { token, body }))
  return { id, text: result.transcription }
}

/** Translates a text from Pashto to English. */
export async function translate(token: string, text: string): Promise<string> {
  const body = { text, source_language: 'ps', target_language: 'en' }
  return (await parse(TranslationResult, call(api.audio.translate.path, { token, body }))).translated_text
}

/** Returns the stored transcript and audio file of a recording. */
export async function readRecording(token: string, id: string): Promise<{ text: string; audio: Buffer }> {
  const path = (template: string) => template.replace(':id', id)
  const { transcription } = await parse(
    api.recordings.get.response,
    call(path(api.recordings.get.path), { method: 'GET', token }),
  )
  const audio = await call(path(api.audio.play.path), { method: 'GET', token })
  return { text: transcription?.transcription ?? '', audio: Buffer.from(await audio.arrayBuffer()) }
}

/** Returns the HTML page that browsers get. */
export async function readPage(): Promise<string> {
  return (await call('/', { method: 'GET' })).text()
}
