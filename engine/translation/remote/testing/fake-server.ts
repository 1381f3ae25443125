import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { createFakeServer } from '#engine/remote/testing/fake-server.ts'
import type { FakeServerHandler, FakeServer as GenericFakeServer } from '#engine/remote/testing/fake-server.ts'

const Body = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).default([]),
  prompt: z.string().default(''),
  max_tokens: z.number(),
})

/** A completion request as received by a server. */
export interface ReceivedRequest {
  path: string | undefined
  authorization: string | undefined
  body: z.infer<typeof Body>
  /** The text to translate: the last line of the last message or of the prompt's last example. */
  text: string
}

export type RequestHandler = FakeServerHandler<ReceivedRequest>
export type FakeServer = GenericFakeServer<ReceivedRequest>

/** Starts a fake chat-completions server; by default it responds correctly. */
export function startFakeServer(behave: RequestHandler = translateByPattern): Promise<FakeServer> {
  return createFakeServer({ read: readRequest, behave })
}

function readRequest({ url, headers }: IncomingMessage, content: Buffer): ReceivedRequest {
  const body = Body.parse(JSON.parse(content.toString()))
  return { path: url, authorization: headers.authorization, body, text: readText(body) }
}

function readText({ messages, prompt }: z.infer<typeof Body>): string {
  const [last = ''] = (messages.at(-1)?.content ?? '').split('\n').slice(-1)
  return last || (/.*: (.*)\n.*:$/u.exec(prompt)?.[1] ?? '')
}

/** Returns the translation of a line that names a number, so that each line has a different one. */
export function numberedSentence(number: number): string {
  return `The driver brought ${number} boxes to the market today.`
}

export function correctResponse({ text }: ReceivedRequest) {
  const number = Number(/\d+/.exec(text)?.[0] ?? '0')
  const content = numberedSentence(number)
  return {
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 40, completion_tokens: 12, total_tokens: 52 },
  }
}

/** Responds correctly, with a sentence that belongs to this line only. */
export const translateByPattern: RequestHandler = (request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(correctResponse(request)))
}

/** Responds with a sentence in the requested language, English or Persian, that contains the line's number. */
export const translateIntoTarget: RequestHandler = ({ body, text }, response) => {
  const number = /\d+/.exec(text)?.[0]
  const isToEnglish = body.messages[0]?.content.includes('to English')
  const content = isToEnglish ? `He brought ${number} boxes to the market.` : `او ${number} جعبه را به بازار آورد.`
  response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }))
}
