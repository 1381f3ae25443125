import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createFakeServer } from '#engine/remote/testing/fake-server.ts'
import type { FakeServerHandler, FakeServer as GenericFakeServer } from '#engine/remote/testing/fake-server.ts'

/** A transcription request as received by a server. */
export interface ReceivedRequest {
  fields: Record<string, string[]>
  authorization: string | undefined
  durationMs: number
  /** Hash of the audio, which identifies the window. */
  fingerprint: string
}

export type RequestHandler = FakeServerHandler<ReceivedRequest>
export type FakeServer = GenericFakeServer<ReceivedRequest>

/** Starts a fake transcription server; by default it responds correctly. */
export function startFakeServer(behave: RequestHandler = transcribeByFingerprint): Promise<FakeServer> {
  return createFakeServer({ read: readRequest, behave })
}

/** Responds correctly: one segment with a text unique to this window, and words for all of its speech. */
export const transcribeByFingerprint: RequestHandler = (request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(correctResponse(request)))
}

export function correctResponse({ fingerprint, durationMs }: ReceivedRequest) {
  const words = Array.from({ length: Math.floor(durationMs / 1000) }, (_, at) =>
    hash(`${fingerprint}${at}`).slice(0, 4),
  )
  const text = ` Window ${[fingerprint, ...words].join(' ')}.`
  const segment = { start: 0, end: durationMs / 1000, text, avg_logprob: -0.2, no_speech_prob: 0.01 }
  return { task: 'transcribe', language: 'en', duration: durationMs / 1000, text, segments: [segment] }
}

async function readRequest({ headers }: IncomingMessage, content: Buffer): Promise<ReceivedRequest> {
  const body = new Response(content, { headers: { 'content-type': headers['content-type'] ?? '' } })
  const form = await body.formData()
  const file = form.get('file')
  if (!(file instanceof File)) throw new Error('The request has no file')
  const wav = Buffer.from(await file.arrayBuffer())
  const fields: Record<string, string[]> = {}
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = [...(fields[name] ?? []), value]
  }
  return {
    fields,
    authorization: headers.authorization,
    durationMs: (wav.length - 44) / 32,
    fingerprint: hash(wav),
  }
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12)
}
