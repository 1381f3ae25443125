import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { startStandInServer } from '#engine/remote/testing/stand-in-server.ts'
import type { StandInHandler, StandInServer as GenericStandIn } from '#engine/remote/testing/stand-in-server.ts'

/** A transcription request as received by a server. */
export interface ReceivedRequest {
  fields: Record<string, string[]>
  authorization: string | undefined
  durationMs: number
  /** Hash of the audio, which identifies the window. */
  fingerprint: string
}

export type RequestHandler = StandInHandler<ReceivedRequest>
export type StandInServer = GenericStandIn<ReceivedRequest>

/** Starts a stand-in for a transcription server; by default it responds correctly. */
export function startStandIn(behave: RequestHandler = transcribeByFingerprint): Promise<StandInServer> {
  return startStandInServer({ read: readRequest, behave })
}

/** Responds correctly: one segment with a text that is unique for this window. */
export const transcribeByFingerprint: RequestHandler = (request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(correctResponse(request)))
}

export function correctResponse({ fingerprint, durationMs }: ReceivedRequest) {
  const text = ` Window ${fingerprint}.`
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
    fingerprint: createHash('sha256').update(wav).digest('hex').slice(0, 12),
  }
}
