import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A transcription request as a server saw it. */
export interface ReceivedRequest {
  fields: Record<string, string[]>
  authorization: string | undefined
  durationMs: number
  /** Names the sound, so that the same window is recognised. */
  fingerprint: string
}

export type RequestHandler = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>

export interface StandInServer {
  address: string
  port: number
  seen: ReceivedRequest[]
  /** Connections that are open now. */
  connections: Set<Socket>
  close(): Promise<void>
}

/**
 * A server on a free port of the loopback that answers transcription requests as `behave` says, where a real one cannot be made to: late,
 * wrong or not at all. Its list of models is always there.
 */
export async function startStandIn(behave: RequestHandler = transcribeByFingerprint): Promise<StandInServer> {
  const seen: ReceivedRequest[] = []
  const connections = new Set<Socket>()
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end('{"data":[]}')
    const read = await readRequest(request)
    seen.push(read)
    await behave(read, response)
  })
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    seen,
    connections,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The right answer: one segment with a text that is that of this window alone. */
export const transcribeByFingerprint: RequestHandler = (request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(rightAnswer(request)))
}

export function rightAnswer({ fingerprint, durationMs }: ReceivedRequest) {
  const text = ` Window ${fingerprint}.`
  const segment = { start: 0, end: durationMs / 1000, text, avg_logprob: -0.2, no_speech_prob: 0.01 }
  return { task: 'transcribe', language: 'en', duration: durationMs / 1000, text, segments: [segment] }
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = new Response(Buffer.concat(chunks), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  })
  const form = await body.formData()
  const file = form.get('file')
  if (!(file instanceof File)) throw new Error('The request holds no file')
  const wav = Buffer.from(await file.arrayBuffer())
  const fields: Record<string, string[]> = {}
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = [...(fields[name] ?? []), value]
  }
  return {
    fields,
    authorization: request.headers.authorization,
    durationMs: (wav.length - 44) / 32,
    fingerprint: createHash('sha256').update(wav).digest('hex').slice(0, 12),
  }
}
