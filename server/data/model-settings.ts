import { z } from 'zod'
import { ServerAddresses, translationForms } from './remote-servers.ts'
import { count, flag, text } from './setting-schemas.ts'
import { LanguageList, ModelsByPair } from './translation-settings.ts'

/** Which models transcribe and translate, and which servers run them: a part of the settings. */
export const modelSettings = {
  SPEECH_MODEL: { schema: text, help: 'Id of the transcription model; SPEECH_MODEL_PS and so on for one language.' },
  SPEECH_SERVERS: {
    schema: ServerAddresses.optional(),
    help: 'Transcription servers (POST /v1/audio/transcriptions), separated by commas, used instead of a local model.',
  },
  SPEECH_SERVER_KEY: { schema: text, help: 'API key for transcription servers, sent as a bearer token.' },
  SPEECH_SERVER_CA: { schema: text, help: 'PEM file with their certificate authority. Unset: the well-known ones.' },
  SPEECH_SERVER_TIMEOUT_SECONDS: {
    schema: count(5, 3_600).default(120),
    help: 'Time limit for 30 s of audio, down to half of it for shorter audio. Then another server is tried.',
  },
  SPEECH_SERVER_MODEL: {
    schema: z.string().min(1).default('whisper-1'),
    help: 'Model name on transcription servers; SPEECH_SERVER_MODEL_PS and so on for one language.',
  },
  SPEECH_SERVER_ALLOW_HTTP: {
    schema: flag.default(false),
    help: 'Allow plain http to transcription servers outside loopback and private networks.',
  },
  TRANSLATION_MODEL: { schema: text, help: 'Id of the translation model.' },
  TRANSLATION_MODEL_BY_PAIR: {
    schema: ModelsByPair.optional(),
    help: 'Models for single language pairs: ps-en=ID, fa-en=ID. Pairs without a model are translated through English.',
  },
  TRANSLATION_GPU: {
    schema: z.enum(['cuda', 'vulkan'], 'must be cuda or vulkan').optional(),
    help: 'GPU for translation: cuda or vulkan, after awaz gpu install. Unset: the CPU.',
  },
  TRANSLATION_SERVERS: {
    schema: ServerAddresses.optional(),
    help: 'Translation servers (POST /v1/chat/completions), separated by commas, used instead of a local model.',
  },
  TRANSLATION_SERVER_KEY: { schema: text, help: 'API key for translation servers, sent as a bearer token.' },
  TRANSLATION_SERVER_CA: {
    schema: text,
    help: 'PEM file with their certificate authority. Unset: the well-known ones.',
  },
  TRANSLATION_SERVER_TIMEOUT_SECONDS: {
    schema: count(5, 3_600).default(120),
    help: 'Time limit for the translation of a line. Then another server is tried.',
  },
  TRANSLATION_SERVER_MODEL: {
    schema: z.string().min(1).default('default'),
    help: 'Model name on translation servers.',
  },
  TRANSLATION_SERVER_MODEL_BY_PAIR: {
    schema: ModelsByPair.optional(),
    help: 'Model names on the servers for single language pairs: ps-en=NAME, fa-en=NAME.',
  },
  TRANSLATION_SERVER_LANGUAGES: {
    schema: LanguageList.optional(),
    help: 'Codes of the languages that TRANSLATION_SERVER_MODEL supports, separated by commas. Unset: all.',
  },
  TRANSLATION_SERVER_PROFILE: {
    schema: z.enum(translationForms, `must be one of ${translationForms.join(', ')}`).default('chat'),
    help: 'Prompt format of the model: chat, plain, translategemma, hy-mt, or completion (POST /v1/completions).',
  },
  TRANSLATION_SERVER_ALLOW_HTTP: {
    schema: flag.default(false),
    help: 'Allow plain http to translation servers outside loopback and private networks.',
  },
} as const satisfies Record<string, { schema: z.ZodType; help: string }>
