import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'otplib'
import { z } from 'zod'
import type { OldData } from './old-data.ts'

export const password = 'Correct-Horse-7-Battery!'
const keywords = ['money', 'پیسې']

/** Calls an old product; throws if the call fails. */
export type Call = (method: string, path: string, body?: unknown) => Promise<unknown>

export interface FillOptions {
  url: string
  /** E-mail and password of the first administrator, as the product stored them. */
  initial: { email: string; password: string }
  /** Path of the audio file that the recordings are cut from. */
  sample: string
  /** Holds the cut recordings. */
  tempDir: string
  ffmpeg: string
}

/**
 * Fills an old product with what its API supports: two accounts, a second factor, keywords, two recordings, a transcript, tags and a case.
 */
export async function fill({
  url,
  initial,
  ...sound
}: FillOptions): Promise<Omit<OldData, 'commit' | 'madeAt' | 'documents'>> {
  let { call, token } = await signIn(url, initial)
  await call('POST', '/api/auth/change-password', { current_password: initial.password, new_password: password })
  const admin = { email: initial.email, password }
  ;({ call, token } = await signIn(url, admin))
  const user = { email: 'second@example.org', password: `${password}-2` }
  const names = { first_name: 'Second', last_name: 'Person', username: 'second.person' }
  await call('POST', '/api/auth/super-admin/create-user', { ...user, ...names })
  await call('POST', '/api/auth/keywords', {
    keywords: { threats: [], sentiment: [], intent: [], custom: keywords },
  })
  const recordings = [
    await uploadCut({ url, token, ...sound }, { name: 'first call.mp3', startSeconds: 0.5, seconds: 3.7 }),
    await uploadCut({ url, token, ...sound }, { name: 'second call.mp3', startSeconds: 7, seconds: 1.6 }),
  ]
  const [first] = recordings
  const words = await transcribe(call, first?.id ?? '')
  const tags = await tryCall(() =>
    call('POST', '/api/library/tags', { selection: { ids: [first?.id] }, add: ['urgent'] }),
  )
  const caseName = 'Case of the upgrade'
  const added = await tryCall(() => addCase(call, caseName, first?.id ?? ''))
  await tryCall(() => call('POST', '/api/auth/confirm-password', { password }))
  const { secret } = z.object({ secret: z.string() }).parse(await call('POST', '/api/auth/2fa/enable'))
  await call('POST', '/api/auth/2fa/verify', { token: await generate({ secret }) })
  return {
    admin: { ...admin, totpSecret: secret },
    user,
    recordings: recordings.map((recording, index) => ({ ...recording, words: index === 0 ? words : null })),
    keywords,
    tags: tags ? ['urgent'] : [],
    caseName: added ? caseName : null,
  }
}

export async function signIn(
  url: string,
  account: { email: string; password: string },
): Promise<{ call: Call; token: string }> {
  const Tokens = z.object({ access_token: z.string() })
  let token = Tokens.parse(await send(url, undefined, ['POST', '/api/auth/signin', account])).access_token
  const call: Call = async (method, path, body) => {
    const answer = await send(url, token, [method, path, body])
    // Confirming the password returns new tokens.
    token = Tokens.safeParse(answer).data?.access_token ?? token
    return answer
  }
  return { call, token }
}

async function send(url: string, token: string | undefined, [method, path, body]: Parameters<Call>): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** Returns whether an old product supports this call. */
async function tryCall(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call()
    return true
  } catch (error) {
    if (/was answered with 40[45]/.test(String(error))) return false
    throw error
  }
}

/** A part of the sample, as an MP3. */
interface Cut {
  name: string
  startSeconds: number
  seconds: number
  /** 64 kbit/s by default. */
  bitRate?: string
}

export async function uploadCut(
  { url, token, sample, tempDir, ffmpeg }: Omit<FillOptions, 'initial'> & { token: string },
  { name, startSeconds, seconds, bitRate = '64k' }: Cut,
) {
  const path = join(tempDir, name)
  const cut = ['-ss', String(startSeconds), '-t', String(seconds), '-i', sample]
  execFileSync(ffmpeg, ['-v', 'error', '-y', ...cut, '-b:a', bitRate, path])
  const content = await readFile(path)
  const form = new FormData()
  form.append('audio', new Blob([new Uint8Array(content)]), name)
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/upload`, { method: 'POST', body: form, headers })
  if (!response.ok) throw new Error(`The upload was answered with ${response.status}: ${await response.text()}`)
  const { file_id: id } = z.object({ file_id: z.string() }).parse(await response.json())
  return { id, name, sha256: createHash('sha256').update(content).digest('hex') }
}

export async function transcribe(call: Call, id: string): Promise<string[]> {
  const body = { file_id: id, channel_languages: ['ps', 'en'] }
  const { transcription } = z.object({ transcription: z.string() }).parse(await call('POST', '/api/transcribe', body))
  return transcription.split(/\s+/).filter(Boolean)
}

async function addCase(call: Call, name: string, recordingId: string): Promise<void> {
  const created = z.looseObject({ id: z.string().optional(), case: z.object({ id: z.string() }).optional() })
  const { id, case: wrapped } = created.parse(await call('POST', '/api/cases', { name }))
  await call('POST', `/api/cases/${id ?? wrapped?.id ?? ''}/recordings`, { selection: { ids: [recordingId] } })
}
