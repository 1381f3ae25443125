import type { SpeechServerSettings } from '#data/remote-servers.ts'
import { createServerClient } from '#engine/remote/server-client.ts'
import type { ServerClient } from '#engine/remote/server-client.ts'
import { encodeWav } from './encode-wav.ts'

/** A transcription request for one window. */
export interface TranscriptionQuery {
  samples: Float32Array
  model: string
  /** ISO 639-1 code; without it the server detects the language. */
  language?: string
  prompt?: string
  /** Without it the server starts at 0 and falls back to higher temperatures, if it can. */
  temperature?: number
}

export interface TranscriptionClient extends Pick<ServerClient, 'check'> {
  /** Sends one window and returns the body of the response; throws ServerFailure. */
  transcribe(address: string, query: TranscriptionQuery, options: { signal?: AbortSignal }): Promise<Buffer>
}

const fullWindowMs = 30_000

/** Creates a client. Throws where the file of certificate authorities cannot be read. */
export function createTranscriptionClient(settings: SpeechServerSettings): TranscriptionClient {
  const { post, check } = createServerClient(settings, { caSetting: 'SPEECH_SERVER_CA' })

  async function transcribe(
    address: string,
    query: TranscriptionQuery,
    { signal }: { signal?: AbortSignal },
  ): Promise<Buffer> {
    const form = new Response(toForm(query))
    return post({
      url: `${address}/v1/audio/transcriptions`,
      contentType: form.headers.get('content-type') ?? '',
      body: Buffer.from(await form.arrayBuffer()),
      timeoutMs: timeoutFor(query.samples, settings.timeoutMs),
      signal,
    })
  }

  return { transcribe, check }
}

function toForm({ samples, model, language, prompt, temperature }: TranscriptionQuery): FormData {
  const form = new FormData()
  form.set('file', new Blob([encodeWav(samples)], { type: 'audio/wav' }), 'window.wav')
  form.set('model', model)
  form.set('response_format', 'verbose_json')
  form.append('timestamp_granularities[]', 'segment')
  form.append('timestamp_granularities[]', 'word')
  if (temperature !== undefined) form.set('temperature', String(temperature))
  if (language) form.set('language', language)
  if (prompt) form.set('prompt', prompt)
  return form
}

/** Returns the full timeout for a window of 30 s, less for a shorter one, but at least half: a server may be busy with another engine. */
function timeoutFor(samples: Float32Array, timeoutMs: number): number {
  const share = Math.min(1, samples.length / 16 / fullWindowMs)
  return Math.round((timeoutMs * (1 + share)) / 2)
}
