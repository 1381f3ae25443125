import { z } from 'zod'
import { defaultMaxUploadBytes } from '#contract/entities/recording.ts'
import { RegistrationMode } from '#contract/registration-mode.ts'
import { LogFormat, LogLevel } from './log/log-settings.ts'
import { modelSettings } from './model-settings.ts'
import { AllowedHostList } from './network-ranges.ts'
import { count, flag, checkMongodbUri, splitList, text, webOrigin } from './setting-schemas.ts'

/**
 * Every setting: its schema, its default and its text in `.env.example`. Settings come from the environment and the file `.env`
 * (env-file.ts). Each can also be given as NAME_FILE, the path of a file that contains the value.
 */
export const settings = {
  PORT: { schema: count(0, 65_535).default(5000), help: 'Port to listen on.' },
  HOST: { schema: z.string().min(1).default('127.0.0.1'), help: 'Address to listen on; 0.0.0.0 for every network.' },
  PUBLIC_URL: {
    schema: webOrigin('https://awaz.example.org').optional(),
    help: 'Public address, used in mail links and for passkeys. Unset: http://localhost:PORT.',
  },
  TRUST_PROXY_HOPS: {
    schema: count(0, 10).default(0),
    help: 'Number of reverse proxies in front of the server that set X-Forwarded-For.',
  },
  DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    help: 'Folder for audio, secrets, outbox and the embedded database.',
  },
  AUDIO_STORE: {
    schema: z.enum(['folder', 'gridfs'], 'must be folder or gridfs').default('folder'),
    help: 'Where uploaded sound is kept: in DATA_DIR/audio (folder), or in MongoDB for several hosts (gridfs; docs/scale-out.md).',
  },
  AUDIO_COPIES_MB: {
    schema: count(0, 10_000_000).default(2048),
    help: 'With AUDIO_STORE=gridfs: how much sound DATA_DIR/audio-copies of each host holds for its engines.',
  },
  MONGODB_URI: {
    schema: z.string().superRefine(checkMongodbUri).optional(),
    help: 'MongoDB to use. Unset: the embedded database in DATA_DIR/db.',
  },
  WATCH_DIR: {
    schema: text,
    help: 'Folder from which recordings are imported: WATCH_DIR/<e-mail address or case>/recording.wav (docs/watch-folder.md). Unset: none.',
  },
  WATCH_SETTLE_SECONDS: {
    schema: count(1, 3600).default(10),
    help: 'A file in WATCH_DIR is complete when its size has not changed for so many seconds.',
  },
  BACKUP_DIR: { schema: text, help: 'Folder of backups (docs/backup.md), better on another disk. Unset: none.' },
  BACKUP_TIME: {
    schema: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 02:00')
      .optional(),
    help: "Time of day, by the host's clock, at which a backup is made in BACKUP_DIR. Unset: only awaz backup makes one.",
  },
  BACKUP_PASSPHRASE: {
    schema: z.string().min(12, 'must have at least 12 characters').optional(),
    help: 'Passphrase of backups; better in a file that BACKUP_PASSPHRASE_FILE names.',
  },
  BACKUP_RECIPIENTS: {
    schema: z.string().default('').transform(splitList),
    help: 'Public keys (age1...) that backups are encrypted for, separated by commas, in place of a passphrase.',
  },
  BACKUP_UNENCRYPTED: {
    schema: flag.default(false),
    help: 'true: backups, which hold every secret, are not encrypted.',
  },
  BACKUP_KEEP_DAILY: {
    schema: count(0, 10_000).default(7),
    help: 'For how many days the newest backup of each is kept. Older backups that no rule keeps are deleted after the daily one.',
  },
  BACKUP_KEEP_WEEKLY: {
    schema: count(0, 10_000).default(4),
    help: 'For how many weeks the newest backup of each is kept.',
  },
  BACKUP_KEEP_MONTHLY: {
    schema: count(0, 10_000).default(12),
    help: 'For how many months the newest backup of each is kept.',
  },
  UPGRADE_WITHOUT_RESTORE_POINT: {
    schema: flag.default(false),
    help: 'true: data of an earlier version is migrated without a restore point, and in MongoDB without a recent backup (docs/upgrading.md).',
  },
  MODELS_DIR: { schema: text, help: 'Folder of imported models and their settings. Unset: DATA_DIR/models.' },
  SMTP_URL: {
    schema: z
      .string()
      .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
      .optional(),
    help: 'Mail server. Unset: mails are written to DATA_DIR/outbox, visible to super admins.',
  },
  SMTP_CA: {
    schema: z.string().includes('-----BEGIN CERTIFICATE-----', { message: 'must hold certificates in PEM' }).optional(),
    help: "Certificates (PEM) of the mail server's certificate authority; SMTP_CA_FILE names a file.",
  },
  MAIL_FROM: { schema: z.string().min(3).default('Awaz <awaz@localhost>'), help: 'Sender address of mails.' },
  ADMIN_EMAIL: {
    schema: z.email('must be an e-mail address').default('admin@awaz.local'),
    help: 'E-mail address of the first super admin.',
  },
  API_ORIGIN: {
    schema: webOrigin('https://api.example.org').optional(),
    help: 'Origin of the API for the web app. Unset: the same origin.',
  },
  REGISTRATION: {
    schema: z.enum(RegistrationMode.options, 'must be open, invitation, domains or closed').optional(),
    help: 'Who may register: everybody (open), invited people (invitation), addresses of REGISTRATION_DOMAINS too (domains), or nobody (closed). Unset: super admins decide.',
  },
  REGISTRATION_DOMAINS: {
    schema: z
      .string()
      .transform((value) => splitList(value.toLowerCase()).map((domain) => domain.replace(/^@/, '')))
      .optional(),
    help: 'E-mail domains that may register, separated by commas: example.org, example.com. Unset: super admins decide.',
  },
  SESSION_IDLE_HOURS: {
    schema: count(1, 720).optional(),
    help: 'Hours after which an unused session ends. Unset: super admins decide (8).',
  },
  SESSION_HOURS: {
    schema: count(1, 720).optional(),
    help: 'Hours after which any session ends. Unset: super admins decide (24).',
  },
  REMEMBERED_IDLE_DAYS: {
    schema: count(1, 365).optional(),
    help: 'Days after which an unused session of "Remember me" ends. Unset: super admins decide (14).',
  },
  REMEMBERED_DAYS: {
    schema: count(1, 365).optional(),
    help: 'Days after which any session of "Remember me" ends. Unset: super admins decide (30).',
  },
  SIGNIN_REQUIRES_VERIFIED: { schema: flag.default(true), help: 'Signing in requires a verified e-mail address.' },
  GATE_REQUIRES_VERIFIED: { schema: flag.default(false), help: 'Using the app requires a verified e-mail address.' },
  GATE_REQUIRES_2FA: {
    schema: flag.optional(),
    help: 'Using the app requires two-factor authentication of everybody (true) or nobody (false). Unset: super admins decide (everybody).',
  },
  TWO_FACTOR_GRACE_DAYS: {
    schema: count(0, 365).optional(),
    help: 'Days from their creation in which accounts work without a required second factor; none for people who register by themselves. Unset: super admins decide (7).',
  },
  ...modelSettings,
  MODELS_MIRROR: {
    schema: webOrigin('https://mirror.example.org').optional(),
    help: 'Server to download models from, instead of the addresses in the catalogue.',
  },
  OFFLINE: {
    schema: flag.default(false),
    help: 'true: nothing is downloaded; models are only imported from files; webhooks are sent to WEBHOOK_ALLOW_PRIVATE alone.',
  },
  WEBHOOK_ALLOW_PRIVATE: {
    schema: AllowedHostList.optional(),
    help: 'Private networks, addresses and host names that webhooks may be sent to, separated by commas: 10.1.0.0/16, hooks.intra.',
  },
  ENGINE_THREADS: {
    schema: count(1, 256).optional(),
    help: 'Threads per engine. Unset: the CPUs of the machine, shared between ENGINE_PROCESSES.',
  },
  RUN_SERVER: {
    schema: flag.default(true),
    help: 'false: `npm start` runs only engines, on another host with the same MONGODB_URI and DATA_DIR/audio.',
  },
  ENGINE_PROCESSES: {
    schema: count(1, 64).default(1),
    help: 'Number of engines that `npm start` runs. Each works on one job at a time with its own model in memory.',
  },
  MODEL_IDLE_MINUTES: {
    schema: count(0, 1_440).default(5),
    help: 'Minutes that a model stays in memory after the last job; 0 frees it at once.',
  },
  FFMPEG_PATH: { schema: text, help: 'Path of ffmpeg. Unset: the one on the PATH, then the packaged one.' },
  RETENTION_DAYS: {
    schema: count(0, 36_500).default(0),
    help: 'Days after which recordings and translated texts are deleted; 0 keeps them.',
  },
  TRASH_DAYS: {
    schema: count(0, 3_650).default(30),
    help: 'Days that a deleted recording stays in the trash of its owner; 0 leaves ten minutes to undo a deletion.',
  },
  MAX_AUDIO_HOURS: {
    schema: count(1, 100).default(8),
    help: 'Maximum length of a recording. An hour takes 115 MB of disk per channel while it is processed.',
  },
  MAX_UPLOAD_MB: {
    schema: count(1, 16_384).default(defaultMaxUploadBytes / 1024 / 1024),
    help: 'Maximum size of a recording in MB (1,048,576 bytes). An hour of two-channel telephone PCM has 110. The web app sends files above 32 MB in parts.',
  },
  UPLOAD_EXPIRY_HOURS: { schema: count(1, 720).default(24), help: 'Hours that an unfinished upload waits for more.' },
  QUOTA_BYTES: {
    schema: count(0, Number.MAX_SAFE_INTEGER).default(0),
    help: 'Maximum audio per user in bytes; 0 is no limit.',
  },
  RATE_SIGNIN_PER_MINUTE: { schema: count(1, 1_000_000).default(100), help: 'Sign-in attempts per address.' },
  RATE_MAIL_PER_HOUR: { schema: count(1, 1_000_000).default(30), help: 'Reset and verification mails per address.' },
  RATE_SIGNUP_PER_HOUR: {
    schema: count(1, 1_000_000).default(300),
    help: 'Sign-ups per address: an office may share one address.',
  },
  RATE_MAIL_PER_ACCOUNT_HOUR: {
    schema: count(1, 1_000_000).default(3),
    help: 'Reset and verification mails per account.',
  },
  RATE_RESEND_PER_MINUTE: { schema: count(1, 1_000_000).default(1), help: 'Verification mails per account.' },
  RATE_REFRESH_PER_MINUTE: { schema: count(1, 1_000_000).default(60), help: 'Token refreshes per session.' },
  RATE_UPLOAD_PER_HOUR: { schema: count(1, 1_000_000).default(200), help: 'Uploads per user.' },
  MAX_CONNECTIONS_PER_ADDRESS: {
    schema: count(10, 1_000_000).default(2_000),
    help: 'Open connections per address; behind a proxy, concurrent requests.',
  },
  BODY_TIMEOUT_SECONDS: {
    schema: count(1, 3_600).default(10),
    help: 'Time limit for headers, and for a body that is no upload.',
  },
  UPLOAD_MIN_BYTES_PER_SECOND: {
    schema: count(1, 100_000_000).default(8_192),
    help: 'An upload that stays slower for UPLOAD_STALL_SECONDS is ended.',
  },
  UPLOAD_STALL_SECONDS: { schema: count(1, 3_600).default(30), help: 'How long an upload may be too slow or stalled.' },
  RATE_CALLS_PER_MINUTE: {
    schema: count(1, 1_000_000).default(300),
    help: 'All other calls per user, or per address without a session.',
  },
  METRICS_TOKEN: {
    schema: z.string().min(16, 'must have at least 16 characters').optional(),
    help: 'Token that Prometheus sends to /metrics as "Authorization: Bearer TOKEN" (docs/monitoring.md); better in a file that METRICS_TOKEN_FILE names. Unset: only this machine may read it, without a proxy.',
  },
  PASSWORD_WORDS: {
    schema: z.string().default('').transform(splitList),
    help: "Words that no password may consist of, separated by commas: the organisation's names, projects, departments.",
  },
  TEMPORARY_PASSWORD_DAYS: {
    schema: count(1, 365).default(7),
    help: 'Days that a password from an administrator, the command line or the first start is valid.',
  },
  EMAIL_CHANGE_DELAY_HOURS: {
    schema: count(1, 720).default(24),
    help: 'Hours until an e-mail address that an administrator gave takes effect; its owner can stop it until then.',
  },
  BCRYPT_COST: {
    schema: count(10, 16).default(12),
    help: 'Work factor of password hashes; raising it rehashes at sign-in.',
  },
  LOG_LEVEL: { schema: LogLevel.default('info'), help: 'Minimum level that is logged; unset, on a terminal: warn.' },
  LOG_FORMAT: {
    schema: LogFormat.default('auto'),
    help: 'Format of the log: plain (lines to read), json (an object per line), or auto: plain on a terminal and in the journal of systemd, else json.',
  },
} as const satisfies Record<string, { schema: z.ZodType; help: string }>

export type SettingName = keyof typeof settings
