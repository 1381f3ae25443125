import { z } from 'zod'
import { ServerAddresses, translationForms } from './remote-servers.ts'
import { LanguageList, ModelsByPair } from './translation-settings.ts'

/** Empty means unset: compose files pass empty strings for what nobody filled in. */
const text = z.string().min(1).optional()
const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1')

function count(min: number, max: number) {
  return z.coerce.number('must be a number').int('must be a whole number').min(min).max(max)
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function webOrigin(example: string) {
  return z
    .url({ protocol: /^https?$/, error: `must be an address such as ${example}` })
    .transform((value) => value.replace(/\/+$/, ''))
}

/**
 * Every setting: its schema, its default and its text in `.env.example`. Settings come from the environment and from the file `.env`
 * (env-file.ts). Each can also be given as NAME_FILE, a path to a file that holds the value.
 */
export const settings = {
  PORT: { schema: count(0, 65_535).default(5000), help: 'Port to listen on.' },
  HOST: { schema: z.string().min(1).default('127.0.0.1'), help: 'Address to listen on; 0.0.0.0 for every network.' },
  PUBLIC_URL: {
    schema: webOrigin('https://awaz.example.org').optional(),
    help: 'Address people type; links in mails are built from it. Unset: http://localhost:PORT.',
  },
  TRUST_PROXY_HOPS: {
    schema: count(0, 10).default(0),
    help: 'How many reverse proxies stand before the server and set X-Forwarded-For.',
  },
  DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    help: 'Folder of audio, secrets, outbox and embedded database.',
  },
  MONGODB_URI: {
    schema: z
      .string()
      .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
      .optional(),
    help: 'MongoDB to use. Unset: the embedded database in DATA_DIR/db.',
  },
  MODELS_DIR: { schema: z.string().min(1).default('./models'), help: 'Folder of the model catalogue and weights.' },
  SMTP_URL: {
    schema: z
      .string()
      .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
      .optional(),
    help: 'Mail server. Unset: mails become files in DATA_DIR/outbox, visible to super admins.',
  },
  SMTP_CA: {
    schema: z.string().includes('-----BEGIN CERTIFICATE-----', { message: 'must hold certificates in PEM' }).optional(),
    help: "Certificates (PEM) of the mail server's own authority; SMTP_CA_FILE names a file of them.",
  },
  MAIL_FROM: { schema: z.string().min(3).default('Awaz <awaz@localhost>'), help: 'Sender of mails.' },
  ADMIN_EMAIL: { schema: z.email('must be an e-mail address').default('admin@awaz.local'), help: 'First super admin.' },
  API_ORIGIN: {
    schema: webOrigin('https://api.example.org').optional(),
    help: "The web app's API host. Unset: its own.",
  },
  REGISTRATION: {
    schema: z.enum(['open', 'domains', 'closed'], 'must be open, domains or closed').default('open'),
    help: 'Who may register: everybody, addresses of REGISTRATION_DOMAINS, or nobody but whom an administrator enters.',
  },
  REGISTRATION_DOMAINS: {
    schema: z
      .string()
      .default('')
      .transform((value) => splitList(value.toLowerCase()).map((domain) => domain.replace(/^@/, ''))),
    help: 'Domains of the addresses that may register, between commas: example.org, example.com.',
  },
  SIGNIN_REQUIRES_VERIFIED: { schema: flag.default(true), help: 'Signing in needs a verified e-mail.' },
  GATE_REQUIRES_VERIFIED: { schema: flag.default(false), help: 'Using the app needs a verified e-mail.' },
  GATE_REQUIRES_2FA: {
    schema: flag.default(true),
    help: 'Using the app needs two-factor; the first administrator may sign in once without.',
  },
  SPEECH_MODEL: { schema: text, help: 'Model id for transcription; SPEECH_MODEL_PS and so on for one language.' },
  SPEECH_SERVERS: {
    schema: ServerAddresses.optional(),
    help: 'Addresses of transcription servers (POST /v1/audio/transcriptions) between commas: speech goes there instead.',
  },
  SPEECH_SERVER_KEY: { schema: text, help: 'Key that transcription servers ask for, sent as a bearer token.' },
  SPEECH_SERVER_CA: { schema: text, help: 'PEM file with the authority of their certificates. Unset: the known ones.' },
  SPEECH_SERVER_TIMEOUT_SECONDS: {
    schema: count(5, 3_600).default(120),
    help: 'Longest wait for 30 s of sound; for shorter sound down to half of it. Then another server is asked.',
  },
  SPEECH_SERVER_MODEL: {
    schema: z.string().min(1).default('whisper-1'),
    help: 'What transcription servers call their model; SPEECH_SERVER_MODEL_PS and so on for one language.',
  },
  SPEECH_SERVER_ALLOW_HTTP: {
    schema: flag.default(false),
    help: 'Plain http to transcription servers outside of loopback and private networks.',
  },
  TRANSLATION_MODEL: { schema: text, help: 'Model id for translation.' },
  TRANSLATION_MODEL_BY_PAIR: {
    schema: ModelsByPair.optional(),
    help: 'Other models for single pairs: ps-en=ID, fa-en=ID. Pairs that no model knows go over English.',
  },
  TRANSLATION_GPU: {
    schema: z.enum(['cuda', 'vulkan'], 'must be cuda or vulkan').optional(),
    help: 'GPU that translates: cuda or vulkan, after npm run awaz -- gpu install. The CPU by default.',
  },
  TRANSLATION_SERVERS: {
    schema: ServerAddresses.optional(),
    help: 'Addresses of translation servers (POST /v1/chat/completions) between commas: texts go there instead.',
  },
  TRANSLATION_SERVER_KEY: { schema: text, help: 'Key that translation servers ask for, sent as a bearer token.' },
  TRANSLATION_SERVER_CA: {
    schema: text,
    help: 'PEM file with the authority of their certificates. Unset: the known ones.',
  },
  TRANSLATION_SERVER_TIMEOUT_SECONDS: {
    schema: count(5, 3_600).default(120),
    help: 'Longest wait for the translation of a line. Then another server is asked.',
  },
  TRANSLATION_SERVER_MODEL: {
    schema: z.string().min(1).default('default'),
    help: 'What translation servers call their model.',
  },
  TRANSLATION_SERVER_MODEL_BY_PAIR: {
    schema: ModelsByPair.optional(),
    help: 'Other models of the servers for single pairs: ps-en=NAME, fa-en=NAME.',
  },
  TRANSLATION_SERVER_LANGUAGES: {
    schema: LanguageList.optional(),
    help: 'Codes of the languages that TRANSLATION_SERVER_MODEL knows, between commas. Unset: all.',
  },
  TRANSLATION_SERVER_PROFILE: {
    schema: z.enum(translationForms, `must be one of ${translationForms.join(', ')}`).default('chat'),
    help: 'How the model is asked: chat, plain, translategemma, hy-mt, or completion (POST /v1/completions).',
  },
  TRANSLATION_SERVER_ALLOW_HTTP: {
    schema: flag.default(false),
    help: 'Plain http to translation servers outside of loopback and private networks.',
  },
  MODELS_MIRROR: {
    schema: webOrigin('https://mirror.example.org').optional(),
    help: 'Where models are downloaded from instead.',
  },
  OFFLINE: { schema: flag.default(false), help: 'true: nothing is downloaded; models are imported from files alone.' },
  ENGINE_THREADS: {
    schema: count(1, 256).optional(),
    help: 'Threads of an engine. Unset: what the machine has, shared between ENGINE_PROCESSES.',
  },
  RUN_SERVER: {
    schema: flag.default(true),
    help: 'false: `npm start` runs engines alone, on another host with the same MONGODB_URI and DATA_DIR/audio.',
  },
  ENGINE_PROCESSES: {
    schema: count(1, 64).default(1),
    help: 'Engines that `npm start` runs. Each works on one job at a time and has a model of its own in memory.',
  },
  MODEL_IDLE_MINUTES: {
    schema: count(0, 1_440).default(5),
    help: 'How long a model stays in memory after the last job; 0 frees it at once.',
  },
  FFMPEG_PATH: { schema: text, help: 'ffmpeg to use. Unset: the PATH, then the packaged one.' },
  RETENTION_DAYS: {
    schema: count(0, 36_500).default(0),
    help: 'Recordings and translated texts are deleted after so many days; 0 keeps them.',
  },
  MAX_AUDIO_HOURS: {
    schema: count(1, 100).default(8),
    help: 'A longer recording is refused. An hour takes 115 MB of disk for each channel while it is worked on.',
  },
  QUOTA_BYTES: { schema: count(0, Number.MAX_SAFE_INTEGER).default(0), help: 'Audio a user may keep; 0 is no limit.' },
  RATE_SIGNIN_PER_MINUTE: { schema: count(1, 1_000_000).default(100), help: 'Attempts to sign in, an address.' },
  RATE_MAIL_PER_HOUR: {
    schema: count(1, 1_000_000).default(30),
    help: 'Reset and verification mails, an address.',
  },
  RATE_SIGNUP_PER_HOUR: {
    schema: count(1, 1_000_000).default(300),
    help: 'Sign-ups, an address: an office behind one address registers on its first day.',
  },
  RATE_MAIL_PER_ACCOUNT_HOUR: {
    schema: count(1, 1_000_000).default(3),
    help: 'Reset and verification mails, an account.',
  },
  RATE_RESEND_PER_MINUTE: { schema: count(1, 1_000_000).default(1), help: 'Verification mails, an account.' },
  RATE_REFRESH_PER_MINUTE: { schema: count(1, 1_000_000).default(60), help: 'Token refreshes, a session.' },
  RATE_UPLOAD_PER_HOUR: { schema: count(1, 1_000_000).default(200), help: 'Uploads, a user.' },
  MAX_CONNECTIONS_PER_ADDRESS: {
    schema: count(10, 1_000_000).default(2_000),
    help: 'Open connections of an address; behind a proxy its requests under way.',
  },
  BODY_TIMEOUT_SECONDS: { schema: count(1, 3_600).default(10), help: 'For headers, and for a body that is no upload.' },
  UPLOAD_MIN_BYTES_PER_SECOND: {
    schema: count(1, 100_000_000).default(8_192),
    help: 'An upload that is slower for UPLOAD_STALL_SECONDS is ended.',
  },
  UPLOAD_STALL_SECONDS: { schema: count(1, 3_600).default(30), help: 'How long an upload may be too slow or silent.' },
  RATE_CALLS_PER_MINUTE: { schema: count(1, 1_000_000).default(300), help: 'All other calls, a user or an address.' },
  PASSWORD_WORDS: {
    schema: z.string().default('').transform(splitList),
    help: "Words no password may be made of, between commas: the organisation's names, projects, departments.",
  },
  TEMPORARY_PASSWORD_DAYS: {
    schema: count(1, 365).default(7),
    help: 'How long a password works that an administrator, the command line or the first start made.',
  },
  BCRYPT_COST: {
    schema: count(10, 16).default(12),
    help: 'Work factor of password hashes; raising it rehashes at sign-in.',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    help: 'Least level that is logged.',
  },
} as const satisfies Record<string, { schema: z.ZodType; help: string }>

export type SettingName = keyof typeof settings

/** The text of `.env.example`: every variable, commented out, with its default. */
export function describeSettings(): string {
  const blocks = Object.entries(settings).map(([name, { schema, help }]) => {
    const fallback = schema.safeParse(undefined)
    const shown = fallback.success && fallback.data !== undefined ? String(fallback.data) : ''
    return `# ${help}\n#${name}=${shown}\n`
  })
  const head = [
    '# Every setting of Awaz with its default. Copy what you change to a file named .env beside package.json, which every process and',
    '# command reads, or set it in the environment, which wins. NAME_FILE reads the value of NAME from a file.\n',
  ]
  return [head.join('\n'), ...blocks].join('\n')
}
