import type { Logger } from 'pino'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import type { TranslationServerSettings } from '#data/remote-servers.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { ServerFailure } from '#engine/remote/server-failure.ts'
import { ServerPool } from '#engine/remote/server-pool.ts'
import { createServerClient, type ServerClient } from '#engine/remote/server-client.ts'
import type { Completion } from '../llama-child.ts'
import type { Translator } from '../llama.ts'
import { maxCompletionTokens } from '../profiles/max-completion-tokens.ts'
import { buildPrompt } from '../profiles/build-prompt.ts'
import { resolveProfile, samplingFor } from '../profiles/profile.ts'
import type { Prompt, Sampling } from '../profiles/request.ts'
import { readCompletion } from './read-completion.ts'

/** The translation servers of an engine process, whose state is kept across jobs. */
export interface RemoteTranslation {
  /** Returns a translator that sends requests for this model to the servers. */
  use(model: TranslationModel): Translator
  describe(): RemoteServerStatus[]
  close(): void
}

export interface RemoteTranslationOptions {
  settings: TranslationServerSettings
  /** Logs server failures. */
  log?: Pick<Logger, 'warn'>
  /** See ServerPoolOptions. */
  giveUpAfterMs?: number
}

/** The token limit if the profile sets none: only the server knows the vocabulary of its model. */
const minTokens = 64
const tokensPerCharacter = 4

/** A request for one completion. */
interface CompletionRequest {
  model: string
  prompt: Prompt
  /** The text to translate, which no error message may contain. */
  text: string
  maxTokens: number
  stop: string[]
  sampling: Sampling
}

interface CompletionClient extends Pick<ServerClient, 'check'> {
  /** Sends one prompt and returns the response body; throws ServerFailure. */
  complete(address: string, request: CompletionRequest, options: { signal?: AbortSignal }): Promise<Buffer>
}

/** The maximum of the OpenAI API. */
const maxStopSequences = 4

/** Opens the pool of servers and checks at once which are available. Throws if the file of certificate authorities cannot be read. */
export function openRemoteTranslation({ settings, log, giveUpAfterMs }: RemoteTranslationOptions): RemoteTranslation {
  const client = createCompletionClient(settings)
  const { addresses } = settings
  const models = [...new Set([settings.model, ...Object.values(settings.modelByPair)])]
  const pool = new ServerPool({
    purpose: 'translation',
    addresses,
    models,
    check: client.check,
    onFailure,
    giveUpAfterMs,
  })
  void pool.checkAll()

  function onFailure(address: string, { kind, message }: ServerFailure): void {
    log?.warn({ address, kind, reason: message }, 'a translation server failed a request, which goes to another')
  }

  async function complete(
    request: CompletionRequest,
    { hosts, signal }: { hosts: Set<string>; signal: AbortSignal | undefined },
  ): Promise<Completion> {
    const send = async (address: string) => {
      try {
        const completion = readCompletion(await client.complete(address, request, { signal }), request.maxTokens)
        hosts.add(new URL(address).host)
        return completion
      } catch (error) {
        if (isTooLong(error)) return undefined
        throw error
      }
    }
    const completion = await pool.run({ amountOf: (done) => done?.tokens ?? 1, send, signal })
    if (!completion) return { kind: 'too_long' }
    return { kind: 'completion', text: completion.text, isComplete: completion.isComplete }
  }

  function use(model: TranslationModel): Translator {
    const profile = resolveProfile(model)
    const hosts = new Set<string>()
    return {
      model,
      complete(text, pair, { signal, ...context } = {}) {
        const request = { text, pair, ...context }
        const query = {
          model: model.remoteName ?? settings.model,
          prompt: buildPrompt(request, profile),
          text,
          maxTokens: maxCompletionTokens(text, pair.target, profile) ?? minTokens + tokensPerCharacter * text.length,
          stop: request.isNumbered ? [] : profile.stop,
          sampling: samplingFor(profile, request),
        }
        return complete(query, { hosts, signal })
      },
      warning: () => null,
      provenance: () => ({
        model_id: model.id,
        model_name: model.name,
        // The weights are on another machine.
        model_hash: null,
        engine: [...hosts].join(', ') || 'OpenAI-compatible server',
        engine_version: null,
        settings: { ...profile, ...samplingFor(profile, {}) },
        created_at: new Date().toISOString(),
      }),
      cpuMs: () => 0,
      pid: () => undefined,
      close: async () => {},
    }
  }

  return { use, describe: () => pool.describe(), close: () => pool.close() }
}

/** Whether a server rejected a request because of its length, in which case the text is split. */
function isTooLong(error: unknown): boolean {
  return (
    error instanceof ServerFailure &&
    error.kind === 'refused' &&
    /context (?:size|length|window)|too (?:long|many tokens)/i.test(error.message)
  )
}

/** Creates a client; throws if the file of certificate authorities cannot be read. */
function createCompletionClient(settings: TranslationServerSettings): CompletionClient {
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

/** Sends only fields that OpenAI defines: some servers reject unknown fields such as top_k. */
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
