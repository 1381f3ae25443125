import { onTestFinished } from 'vitest'
import type { Segment } from '#contract/transcription.ts'
import type { TranslationServerSettings } from '#data/remote-servers.ts'
import { remoteTranslationModels } from '#engine/models/remote-models.ts'
import { translateSegments } from '../../translate.ts'
import type { TranslateOptions } from '../../translate.ts'
import { openRemoteTranslation } from '../remote-translation.ts'
import type { RemoteTranslation, RemoteTranslationOptions } from '../remote-translation.ts'
import { startFakeServer } from './fake-server.ts'
import type { RequestHandler, FakeServer } from './fake-server.ts'

export function remoteSettings(
  addresses: string[],
  changes: Partial<TranslationServerSettings> = {},
): TranslationServerSettings {
  return {
    addresses,
    key: undefined,
    caFile: undefined,
    timeoutMs: 60_000,
    model: 'gemma',
    modelByPair: {},
    languages: ['ps', 'fa', 'en'],
    form: 'chat',
    isHttpAllowed: false,
    ...changes,
  }
}

/** Starts a fake server that is closed when the running test ends. */
export async function startServer(behave?: RequestHandler): Promise<FakeServer> {
  const server = await startFakeServer(behave)
  onTestFinished(() => server.close())
  return server
}

type PoolOptions = { settings?: Partial<TranslationServerSettings> } & Omit<RemoteTranslationOptions, 'settings'>

/** Opens a pool that is closed when the running test ends. */
export function openTestPool(addresses: string[], { settings, ...options }: PoolOptions = {}): RemoteTranslation {
  const remote = openRemoteTranslation({ settings: remoteSettings(addresses, settings), ...options })
  onTestFinished(() => remote.close())
  return remote
}

/** Lines of a call in Persian, each with its own number. */
export function persianLines(count: number): Segment[] {
  return Array.from({ length: count }, (_, index) => ({
    start: index * 2,
    end: index * 2 + 1,
    text: `راننده امروز ${index + 10} جعبه به بازار آورد`,
  }))
}

/** Translates Persian lines into English on translation servers. */
export async function translateRemotely(
  segments: Segment[],
  remote: RemoteTranslation,
  options: Partial<TranslateOptions> & { settings?: Partial<TranslationServerSettings> } = {},
) {
  const { settings, ...others } = options
  const { translation } = remoteTranslationModels(remoteSettings(['http://127.0.0.1'], settings))
  const translator = remote.use(translation)
  return translateSegments({ segments, sourceLanguage: 'fa', targetLanguage: 'en', translator, ...others })
}
