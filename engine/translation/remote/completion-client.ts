import type { TranslationServerSettings } from '#data/remote-servers.ts'
import { createServerClient } from '#engine/remote/server-client.ts'
import type { ServerClient } from '#engine/remote/server-client.ts'
import type { Prompt, Sampling } from '../profiles/request.ts'

/** What is asked of a server about one text. */
export interface CompletionRequest {
  model: string
  prompt: Prompt
  /** The text to translate, which no message may repeat. */
  text: string
  maxTokens: number
  stop: string[]
  sampling: Sampling
}

export interface CompletionClient extends Pick<ServerClient, 'check'> {
  /** Sends one prompt and returns the body of the answer; throws ServerFailure. */
  complete(address: string, query: CompletionRequest, options: { signal?: AbortSignal }): Promise<Buffer>
}

/** OpenAI takes no more. */
const maxStops = 4

/** Reads the file of authorities once; throws a sentence where it cannot be read. */
export function createCompletionClient(settings: TranslationServerSettings): CompletionClient {
  const { post, check } = createServerClient(settings, { caSetting: 'TRANSLATION_SERVER_CA' })

  async function complete(
    address: string,
    query: CompletionRequest,
    { signal }: { signal?: AbortSignal },
  ): Promise<Buffer> {
    const path = query.prompt.kind === 'chat' ? 'chat/completions' : 'completions'
    return post({
      url: `${address}/v1/${path}`,
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify(toBody(query))),
      timeoutMs: settings.timeoutMs,
      content: query.text,
      signal,
    })
  }

  return { complete, check }
}

/** What OpenAI defines and nothing else: some servers refuse fields that they do not know, as top_k. */
function toBody({ model, prompt, maxTokens, stop, sampling }: CompletionRequest) {
  return {
    model,
    ...(prompt.kind === 'chat'
      ? { messages: prompt.messages.map(({ role, text }) => ({ role, content: text })) }
      : { prompt: prompt.text }),
    max_tokens: maxTokens,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    seed: sampling.seed,
    stream: false,
    ...(stop.length > 0 && { stop: stop.slice(0, maxStops) }),
  }
}
