import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { z } from 'zod'

const Body = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).default([]),
  prompt: z.string().default(''),
  max_tokens: z.number(),
})

/** A request for a completion as a server saw it. */
export interface ReceivedRequest {
  path: string | undefined
  authorization: string | undefined
  body: z.infer<typeof Body>
  /** The text to translate: the last line of the last message or of the prompt's last example. */
  text: string
}

export type RequestHandler = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>

export interface StandInServer {
  address: string
  seen: ReceivedRequest[]
  /** Connections that are open now. */
  connections: Set<Socket>
  close(): Promise<void>
}

/**
 * A server on a free port of the loopback that answers as `behave` says, where a real one cannot be made to: late, wrong or not at all.
 * Its list of models is always there.
 */
export async function startStandIn(behave: RequestHandler = translateByPattern): Promise<StandInServer> {
  const seen: ReceivedRequest[] = []
  const connections = new Set<Socket>()
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end('{"data":[]}')
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Body.parse(JSON.parse(Buffer.concat(chunks).toString()))
    const { url: path, headers } = request
    const read = { path, authorization: headers.authorization, body, text: readText(body) }
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
    seen,
    connections,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function readText({ messages, prompt }: z.infer<typeof Body>): string {
  const [last = ''] = (messages.at(-1)?.content ?? '').split('\n').slice(-1)
  return last || (/.*: (.*)\n.*:$/u.exec(prompt)?.[1] ?? '')
}

/** The translation of a line that names a number: each line has one of its own. */
export function numberedSentence(number: number): string {
  return `The driver brought ${number} boxes to the market today.`
}

export function rightAnswer({ text }: ReceivedRequest) {
  const number = Number(/\d+/.exec(text)?.[0] ?? '0')
  const content = numberedSentence(number)
  return {
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 40, completion_tokens: 12, total_tokens: 52 },
  }
}

/** The right answer: a sentence that is that of this line alone. */
export const translateByPattern: RequestHandler = (request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(rightAnswer(request)))
}
