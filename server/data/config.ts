import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { z } from 'zod'
import { transcriptionLanguages, translationLanguages } from '#contract/languages.ts'
import type { SignInSettings } from '#contract/sign-in-settings.ts'
import { settings, type SettingName } from './settings.ts'
import { findMisspelledSettings } from './unknown-settings.ts'
import { findModelsFolder } from './models-folder.ts'
import {
  findServerProblem,
  type RemoteServerSettings,
  type SpeechServerSettings,
  type TranslationServerSettings,
} from './remote-servers.ts'

type Values = { [Name in SettingName]: z.infer<(typeof settings)[Name]['schema']> }

export type Config = ReturnType<typeof toConfig>

/** Thrown by `readConfig`: one line per problem, each naming its variable. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: string[]

  constructor(problems: string[]) {
    super(['The configuration has problems:', ...problems.map((problem) => `  ${problem}`)].join('\n'))
    this.problems = problems
  }
}

/**
 * Reads the configuration from the environment, to which `loadEnvFile` has added the file `.env`.
 * @throws ConfigError naming every problem at once, misspelled names included
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { schema }] of Object.entries(settings)) {
    const parsed = schema.safeParse(readVariable(env, name, problems))
    if (parsed.success) values[name] = parsed.data
    else problems.push(describeProblem(name, parsed.error))
  }
  if (values.RUN_SERVER === false && values.MONGODB_URI === undefined) {
    problems.push('RUN_SERVER false needs MONGODB_URI; the embedded database is for one host')
  }
  problems.push(...findUnknownLanguages(env), ...findMisspelledSettings(env))
  if (problems.length > 0) throw new ConfigError(problems)
  const config = toConfig(values as Values, env) // every name in `settings` was parsed by its schema
  const problem = findProblem(config)
  if (problem) throw new ConfigError([problem])
  return config
}

/**
 * Reads one setting, for code that receives no configuration.
 * @throws ConfigError
 */
export function readSetting<Name extends SettingName>(name: Name, env: NodeJS.ProcessEnv): Values[Name] {
  const problems: string[] = []
  const parsed = settings[name].schema.safeParse(readVariable(env, name, problems))
  if (!parsed.success) problems.push(describeProblem(name, parsed.error))
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems)
  return parsed.data as Values[Name] // parsed by the schema of this name
}

function describeProblem(name: string, error: z.ZodError): string {
  return `${name} ${error.issues.map((issue) => issue.message).join(', ')}`
}

function readVariable(env: NodeJS.ProcessEnv, name: string, problems: string[]): string | undefined {
  const file = env[`${name}_FILE`]
  const value = env[name]
  if (!file) return value === '' ? undefined : value
  if (value) problems.push(`${name} and ${name}_FILE are both set; keep one`)
  try {
    return readFileSync(file, 'utf8').trimEnd() || undefined
  } catch (error) {
    problems.push(`${name}_FILE cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

function findProblem(config: Config): string | undefined {
  return (
    findBackupProblem(config) ??
    findSignInProblem(config) ??
    findSpeechProblem(config) ??
    findTranslationProblem(config)
  )
}

function findBackupProblem({ backup }: Config): string | undefined {
  const { folder, time, passphrase, recipients, isUnencrypted } = backup
  if (time !== undefined && folder === undefined) return 'BACKUP_TIME needs BACKUP_DIR, the folder of the backups'
  const ways = [passphrase !== undefined, recipients.length > 0, isUnencrypted].filter(Boolean).length
  if (ways > 1) return 'BACKUP_PASSPHRASE, BACKUP_RECIPIENTS and BACKUP_UNENCRYPTED exclude one another; keep one'
  if (time !== undefined && ways === 0) {
    return 'BACKUP_TIME needs BACKUP_PASSPHRASE_FILE or BACKUP_RECIPIENTS to encrypt with, or BACKUP_UNENCRYPTED=true'
  }
  return undefined
}

function findSignInProblem({ signIn }: Config): string | undefined {
  const { registration, registration_domains, session_idle_hours, session_hours } = signIn
  const { remembered_idle_days, remembered_days } = signIn
  if (registration === 'domains' && !registration_domains?.length) {
    return 'REGISTRATION_DOMAINS must name a domain where REGISTRATION is domains'
  }
  if (isLonger(session_idle_hours, session_hours)) return 'SESSION_IDLE_HOURS must not be longer than SESSION_HOURS'
  if (isLonger(remembered_idle_days, remembered_days)) {
    return 'REMEMBERED_IDLE_DAYS must not be longer than REMEMBERED_DAYS'
  }
  return undefined
}

const isLonger = (value: number | undefined, other: number | undefined) =>
  value !== undefined && other !== undefined && value > other

function findTranslationProblem(config: Config): string | undefined {
  const { translationServers, translationModel, translationModelByPair } = config
  if (!translationServers) return undefined
  if (translationModel || Object.keys(translationModelByPair).length > 0) {
    return 'TRANSLATION_MODEL is not used where TRANSLATION_SERVERS is set; keep one (models of the servers: TRANSLATION_SERVER_MODEL)'
  }
  return findServerProblem(translationServers, 'TRANSLATION')
}

function findSpeechProblem({ speechServers, speechModel, speechModelByLanguage }: Config): string | undefined {
  if (!speechServers) return undefined
  if (speechModel || Object.keys(speechModelByLanguage).length > 0) {
    return 'SPEECH_MODEL is not used where SPEECH_SERVERS is set; keep one (models of the servers: SPEECH_SERVER_MODEL)'
  }
  return findServerProblem(speechServers, 'SPEECH')
}

/** Reads `SPEECH_MODEL_PS=...` and the like, by the prefix before the language: model by lowercase language code. */
function modelsByLanguage(env: NodeJS.ProcessEnv, setting: 'SPEECH_MODEL' | 'SPEECH_SERVER_MODEL') {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    const language = new RegExp(`^${setting}_([A-Z]{2})$`).exec(name)?.[1]
    if (language && value) found[language.toLowerCase()] = value
  }
  return found
}

/** Rejects a model named for a language that cannot be requested: it would be silently ignored. */
function findUnknownLanguages(env: NodeJS.ProcessEnv): string[] {
  const known = transcriptionLanguages.map((code) => code.toUpperCase())
  return Object.keys(env).flatMap((name) => {
    const [, setting, language] = /^(SPEECH_MODEL|SPEECH_SERVER_MODEL)_([A-Z_]+)$/.exec(name) ?? []
    if (!setting || !language || !env[name] || language === 'FILE' || known.includes(language)) return []
    return [
      `${name} names no language of transcription; there are ${known.map((code) => `${setting}_${code}`).join(', ')}`,
    ]
  })
}

/** Returns the settings common to both kinds of servers; undefined where no server is set. */
function toServers(values: Values, kind: 'SPEECH' | 'TRANSLATION'): RemoteServerSettings | undefined {
  const addresses = values[`${kind}_SERVERS`]
  if (!addresses) return undefined
  return {
    addresses,
    key: values[`${kind}_SERVER_KEY`],
    caFile: values[`${kind}_SERVER_CA`],
    timeoutMs: values[`${kind}_SERVER_TIMEOUT_SECONDS`] * 1000,
    model: values[`${kind}_SERVER_MODEL`],
    isHttpAllowed: values[`${kind}_SERVER_ALLOW_HTTP`],
  }
}

function toSpeechServers(values: Values, env: NodeJS.ProcessEnv): SpeechServerSettings | undefined {
  const servers = toServers(values, 'SPEECH')
  return servers && { ...servers, modelByLanguage: modelsByLanguage(env, 'SPEECH_SERVER_MODEL') }
}

function toTranslationServers(values: Values): TranslationServerSettings | undefined {
  const servers = toServers(values, 'TRANSLATION')
  return (
    servers && {
      ...servers,
      modelByPair: values.TRANSLATION_SERVER_MODEL_BY_PAIR ?? {},
      languages: values.TRANSLATION_SERVER_LANGUAGES ?? Object.keys(translationLanguages),
      form: values.TRANSLATION_SERVER_PROFILE,
    }
  )
}

function toSignInSettings(values: Values): Partial<SignInSettings> {
  return {
    ...(values.REGISTRATION !== undefined && { registration: values.REGISTRATION }),
    ...(values.REGISTRATION_DOMAINS !== undefined && { registration_domains: values.REGISTRATION_DOMAINS }),
    ...(values.GATE_REQUIRES_2FA !== undefined && {
      two_factor_policy: values.GATE_REQUIRES_2FA ? 'everybody' : 'nobody',
    }),
    ...(values.TWO_FACTOR_GRACE_DAYS !== undefined && { two_factor_grace_days: values.TWO_FACTOR_GRACE_DAYS }),
    ...(values.SESSION_IDLE_HOURS !== undefined && { session_idle_hours: values.SESSION_IDLE_HOURS }),
    ...(values.SESSION_HOURS !== undefined && { session_hours: values.SESSION_HOURS }),
    ...(values.REMEMBERED_IDLE_DAYS !== undefined && { remembered_idle_days: values.REMEMBERED_IDLE_DAYS }),
    ...(values.REMEMBERED_DAYS !== undefined && { remembered_days: values.REMEMBERED_DAYS }),
  }
}

function toConfig(values: Values, env: NodeJS.ProcessEnv) {
  return {
    port: values.PORT,
    host: values.HOST,
    /** Without a trailing slash. */
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    isPublicUrlSet: values.PUBLIC_URL !== undefined,
    trustProxyHops: values.TRUST_PROXY_HOPS,
    /** Absolute. */
    dataDir: resolve(values.DATA_DIR),
    mongodbUri: values.MONGODB_URI,
    audioStore: values.AUDIO_STORE,
    audioCopyBytes: values.AUDIO_COPIES_MB * 1024 * 1024,
    /** Absolute. */
    modelsDir: findModelsFolder(values.MODELS_DIR, resolve(values.DATA_DIR)),
    /** Set where recordings are imported from a folder; its path is absolute. */
    watchFolder:
      values.WATCH_DIR === undefined
        ? undefined
        : { folder: resolve(values.WATCH_DIR), settleMs: values.WATCH_SETTLE_SECONDS * 1000 },
    backup: {
      /** Absolute. */
      folder: values.BACKUP_DIR === undefined ? undefined : resolve(values.BACKUP_DIR),
      /** `HH:MM`. */
      time: values.BACKUP_TIME,
      passphrase: values.BACKUP_PASSPHRASE,
      recipients: values.BACKUP_RECIPIENTS,
      isUnencrypted: values.BACKUP_UNENCRYPTED,
      keep: {
        daily: values.BACKUP_KEEP_DAILY,
        weekly: values.BACKUP_KEEP_WEEKLY,
        monthly: values.BACKUP_KEEP_MONTHLY,
      },
    },
    isRestorePointSkipped: values.UPGRADE_WITHOUT_RESTORE_POINT,
    smtpUrl: values.SMTP_URL,
    smtpCa: values.SMTP_CA,
    mailFrom: values.MAIL_FROM,
    adminEmail: values.ADMIN_EMAIL.toLowerCase(),
    apiOrigin: values.API_ORIGIN,
    /** What the environment decides about signing in; super admins decide the rest. */
    signIn: toSignInSettings(values),
    signinRequiresVerified: values.SIGNIN_REQUIRES_VERIFIED,
    gateRequiresVerified: values.GATE_REQUIRES_VERIFIED,
    speechModel: values.SPEECH_MODEL,
    speechModelByLanguage: modelsByLanguage(env, 'SPEECH_MODEL'),
    /** Set where speech is transcribed by servers instead of a model on this machine. */
    speechServers: toSpeechServers(values, env),
    translationModel: values.TRANSLATION_MODEL,
    /** Undefined for the CPU. */
    translationGpu: values.TRANSLATION_GPU,
    /** Different models for single language pairs such as `ps-en`. */
    translationModelByPair: values.TRANSLATION_MODEL_BY_PAIR ?? {},
    /** Set where texts are translated by servers instead of a model on this machine. */
    translationServers: toTranslationServers(values),
    modelsMirror: values.MODELS_MIRROR,
    isOffline: values.OFFLINE,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE ?? { hosts: [], networks: [] },
    engineThreads: values.ENGINE_THREADS,
    engineProcesses: values.ENGINE_PROCESSES,
    hasServer: values.RUN_SERVER,
    /** 0 frees models at once. */
    modelIdleMinutes: values.MODEL_IDLE_MINUTES,
    /** 0 keeps recordings. */
    retentionDays: values.RETENTION_DAYS,
    trashMs: values.TRASH_DAYS * 24 * 60 * 60_000,
    maxUploadBytes: values.MAX_UPLOAD_MB * 1024 * 1024,
    uploadExpiryMs: values.UPLOAD_EXPIRY_HOURS * 3_600_000,
    maxAudioMs: values.MAX_AUDIO_HOURS * 3_600_000,
    /** 0 for no limit. */
    quotaBytes: values.QUOTA_BYTES,
    rates: {
      signInPerMinute: values.RATE_SIGNIN_PER_MINUTE,
      signUpPerHour: values.RATE_SIGNUP_PER_HOUR,
      mailPerHour: values.RATE_MAIL_PER_HOUR,
      mailPerAccountHour: values.RATE_MAIL_PER_ACCOUNT_HOUR,
      resendPerMinute: values.RATE_RESEND_PER_MINUTE,
      refreshPerMinute: values.RATE_REFRESH_PER_MINUTE,
      uploadPerHour: values.RATE_UPLOAD_PER_HOUR,
      callsPerMinute: values.RATE_CALLS_PER_MINUTE,
    },
    http: {
      maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
      bodyTimeoutMs: values.BODY_TIMEOUT_SECONDS * 1000,
      uploadMinBytesPerSecond: values.UPLOAD_MIN_BYTES_PER_SECOND,
      uploadStallMs: values.UPLOAD_STALL_SECONDS * 1000,
    },
    metricsToken: values.METRICS_TOKEN,
    /** In addition to the product's words and those of its addresses. */
    passwordWords: values.PASSWORD_WORDS,
    temporaryPasswordDays: values.TEMPORARY_PASSWORD_DAYS,
    emailChangeDelayMs: values.EMAIL_CHANGE_DELAY_HOURS * 60 * 60_000,
    bcryptCost: values.BCRYPT_COST,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
  }
}
