import type { TranslationServerSettings } from '#data/remote-servers.ts'
import { createServerClient } from '#engine/remote/server-client.ts'
import type { ServerClient } from '#engine/remote/server-client.ts'
import type { Prompt, Sampling } from '../profiles/request.ts'

/** A request for one completion. */
export interface CompletionRequest {
  model: string
  prompt: Prompt
  /** The text to translate, which no error message may contain. */
  text: string
  maxTokens: number
  stop: string[]
  sampling: Sampling
}

export interface CompletionClient extends Pick<ServerClient, 'check'> {
  /** Sends one prompt and returns the response body; throws ServerFailure. */
  complete(address: string, request: CompletionRequest, options: { signal?: AbortSignal }): Promise<Buffer>
}

/** The maximum of the OpenAI API. */
const maxStopSequences = 4

/** Creates a client; throws where the file of certificate authorities cannot be read. */
export function createCompletionClient(settings: TranslationServerSettings): CompletionClient {
  const { post, check } = createServerClient(settings, { caSetting: 'TRANSLATION_SERVER_CA' })

  async function complete(
    address: string,
    request: CompletionRequest,
    { signal }: { signal?: AbortSignal },
  ): Promise<Buffer> {
    const path = request.prompt.kind === 'chat' ? 'chat/completions' : 'completions'
    return post({
      url: `${address}/v1/${path}`,
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify(toBody(request))),
      timeoutMs: settings.timeoutMs,
      content: request.text,
      signal,
    })
  }

  return { complete, check }
}

/** Sends only fields that OpenAI defines: some servers reject unknown ones such as top_k. */
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
    ...(stop.length > 0 && { stop: stop.slice(0, maxStopSequences) }),
  }
}
