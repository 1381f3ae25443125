import { z } from 'zod'
import { ServerFailure } from '#engine/remote/server-failure.ts'

/** A choice returned by `/v1/chat/completions` or `/v1/completions`; servers add fields. */
const Choice = z.union([
  z.object({ message: z.object({ content: z.string().nullable() }), finish_reason: z.string().nullish() }),
  z.object({ text: z.string(), finish_reason: z.string().nullish() }),
])

const Completion = z.object({
  choices: z.array(Choice).min(1),
  usage: z.object({ completion_tokens: z.number().int().nonnegative() }).nullish().catch(null),
})

export interface RemoteCompletion {
  text: string
  /** False if the token limit cut the completion. */
  isComplete: boolean
  /** As counted by the server, or else estimated. */
  tokens: number
}

/** Higher than the average token length of any vocabulary in use. */
const maxCharactersPerToken = 20
const usualCharactersPerToken = 3

/**
 * Parses the response to a request for at most `maxTokens`.
 *
 * @throws ServerFailure `faulty` if it is not a completion of at most that length
 */
export function readCompletion(body: Buffer, maxTokens: number): RemoteCompletion {
  const { choices, usage } = parse(body)
  const [choice] = choices
  if (!choice) throw new ServerFailure('faulty', 'an answer without a choice')
  const text = ('text' in choice ? choice.text : choice.message.content) ?? ''
  if (text.length > maxTokens * maxCharactersPerToken) {
    throw new ServerFailure('faulty', `a text of ${text.length} letters for ${maxTokens} tokens`)
  }
  const tokens = usage?.completion_tokens ?? Math.ceil(text.length / usualCharactersPerToken)
  return { text, isComplete: choice.finish_reason !== 'length', tokens: Math.max(1, tokens) }
}

function parse(body: Buffer): z.infer<typeof Completion> {
  try {
    return Completion.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)))
  } catch {
    // The message does not quote the body, which may contain the text.
    throw new ServerFailure('faulty', 'an answer that is no completion')
  }
}
