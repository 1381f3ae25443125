import { readFile } from 'node:fs/promises'
import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import type { BackupEncryption } from './format/encryption.ts'
import type { DecryptionKeys } from './read/archive-key.ts'

/** Options of the commands, for parseArgs. */
export const backupOptionDefinitions = {
  'passphrase-file': { type: 'string' },
  recipient: { type: 'string', multiple: true },
  identity: { type: 'string', multiple: true },
  unencrypted: { type: 'boolean', default: false },
  models: { type: 'boolean', default: false },
  scratch: { type: 'string' },
  prune: { type: 'boolean', default: false },
  'check-all': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

export interface BackupOptionValues {
  'passphrase-file'?: string | undefined
  recipient?: string[] | undefined
  identity?: string[] | undefined
  unencrypted: boolean
}

/** Anyone who has the file and enough time can guess a shorter passphrase. */
const minPassphraseLength = 12

/**
 * Returns the encryption given by the options, or else by the settings.
 *
 * @throws AppError `invalid_input` if neither specifies one, or the options specify more than one
 */
export async function readProtection(
  values: BackupOptionValues,
  { passphrase, recipients: configured, isUnencrypted }: Config['backup'],
): Promise<BackupEncryption> {
  const { 'passphrase-file': file, recipient: recipients = [], unencrypted } = values
  const given = [file !== undefined, recipients.length > 0, unencrypted].filter(Boolean).length
  if (given > 1) throw new AppError('invalid_input', 'Give one of --passphrase-file, --recipient and --unencrypted.')
  if (file !== undefined) return { kind: 'passphrase', passphrase: await readPassphrase(file) }
  if (recipients.length > 0) return { kind: 'recipients', recipients }
  if (unencrypted) return { kind: 'none' }
  if (passphrase !== undefined) return { kind: 'passphrase', passphrase }
  if (configured.length > 0) return { kind: 'recipients', recipients: configured }
  if (isUnencrypted) return { kind: 'none' }
  throw new AppError(
    'invalid_input',
    'A backup holds every secret of this server, and nothing says how to encrypt it.',
    {
      help: 'Give --passphrase-file FILE or --recipient age1…, or --unencrypted.',
    },
  )
}

/** Returns the keys that open archives: those of the options, or else the passphrase from the settings. */
export async function readKeys(values: BackupOptionValues, settings: Config['backup']): Promise<DecryptionKeys> {
  const { 'passphrase-file': file, identity: identityFiles = [] } = values
  const texts = await Promise.all(identityFiles.map((path) => readOptionFile(path)))
  const lines = texts.flatMap((text) => text.split('\n')).map((line) => line.trim())
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (file !== undefined) return { passphrase: await readPassphrase(file), identities }
  return { passphrase: identities.length > 0 ? undefined : settings.passphrase, identities }
}

/** Trims the end as BACKUP_PASSPHRASE_FILE does, so that a file gives the same passphrase either way. */
async function readPassphrase(path: string): Promise<string> {
  const passphrase = (await readOptionFile(path)).trimEnd()
  if (passphrase.length >= minPassphraseLength) return passphrase
  throw new AppError('invalid_input', `The passphrase in ${path} has fewer than ${minPassphraseLength} characters.`)
}

async function readOptionFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AppError('not_found', `${path} cannot be read.`, { cause })
  })
}
