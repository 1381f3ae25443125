import { z } from 'zod'
import { ServerFailure } from '#engine/remote/server-failure.ts'

/** A choice of `/v1/chat/completions`, or of `/v1/completions`; servers add fields. */
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
  /** False where the answer was cut at its room. */
  isComplete: boolean
  /** As the server counts them, else estimated. */
  tokens: number
}

/** No token of any vocabulary in use is longer than this on average. */
const maxCharactersPerToken = 20
const usualCharactersPerToken = 3

/**
 * Reads the answer to a request for at most `maxTokens`.
 *
 * @throws ServerFailure `faulty` for what is no completion of it
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
    // What the body holds is not repeated: it may be the text.
    throw new ServerFailure('faulty', 'an answer that is no completion')
  }
}
