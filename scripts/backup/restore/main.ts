import { basename, extname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { systemClock } from '#data/clock.ts'
import { readConfig, type Config } from '#data/config.ts'
import { connectDatabase, databaseName } from '#data/connect.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { createAudit, systemOrigin } from '#server/features/audit/service.ts'
import { lastChecksFact } from '#server/features/system/upkeep/checks.ts'
import { openCliDatabase } from '../../admin/database.ts'
import { runInterruptible } from '../../cli/interruptible.ts'
import { restoreRecordings } from '../commands/restore-recordings.ts'
import { listDocumentNames } from '../commands/describe.ts'
import { damagedFolder } from '../format/known-paths.ts'
import { isAudioFile, type BackupManifest } from '../format/manifest.ts'
import { readKeys } from '../options.ts'
import { createDecrypter } from '../read/archive-key.ts'
import { restoreBackup, type RestoreResult } from './restore-backup.ts'
import { withCommandName } from '../../cli/command-name.ts'

const usage = `Usage: npm run awaz -- restore FILE
       npm run awaz -- restore FILE --recording ID [--recording ID ...]
       npm run awaz -- restore FILE --all-damaged

Restores a backup (awaz-….tar.age or awaz-….tar, with the folder "blobs" beside it) into DATA_DIR, which must be empty, and into the
database of MONGODB_URI where that is set. Every byte is verified before anything is written, and everything is counted after.

With --recording or --all-damaged only sound is restored, into the instance that is in DATA_DIR, also while Awaz runs: it must be what was
uploaded, by the SHA-256 in the database of this instance. Ends with 0 where the sound of every one is what was uploaded then, else 1.

  --passphrase-file FILE   opens with the passphrase in the file
  --identity FILE          opens with the private key (AGE-SECRET-KEY-1…) in the file
  --skip-damaged           leaves damaged or missing recordings out, and names them
  --recording ID           restores the sound of this recording, nothing else (repeatable)
  --all-damaged            restores the sound of each recording whose file is missing or not what was uploaded; hashes every file`

const options = {
  'passphrase-file': { type: 'string' },
  identity: { type: 'string', multiple: true },
  'skip-damaged': { type: 'boolean', default: false },
  recording: { type: 'string', multiple: true },
  'all-damaged': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** `awaz restore FILE`. Returns 0, or 130 where Ctrl-C ended it: nothing was restored then. With `--recording`: see restoreRecordings. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [file, ...others] = positionals
  if (values.help || file === undefined || others.length > 0) {
    console.log(withCommandName(usage))
    return values.help ? 0 : 1
  }
  if (values.recording !== undefined || values['all-damaged']) return restoreRecordings(resolve(file), values)
  const config = readConfig(process.env)
  const { dataDir, modelsDir, mongodbUri } = config
  const decrypter = createDecrypter(await readKeys({ ...values, unencrypted: false }, config.backup))
  return runInterruptible(async ({ progress, signal }) => {
    const restored = await restoreBackup({
      path: resolve(file),
      decrypter,
      signal,
      dataDir,
      modelsDir,
      skipDamaged: values['skip-damaged'],
      mongodb: mongodbUri === undefined ? undefined : { uri: mongodbUri, dbName: databaseName(mongodbUri) },
      onStage: (stage) => progress.begin(stage),
      onProgress: (done, total) => progress.update(done, total),
    })
    progress.end()
    await finishRestored(config, restored)
    console.log(withCommandName(describe(config, restored)))
  })
}

/** Records the restore, and discards the findings of the checks on the machine that made the backup. */
async function finishRestored(config: Config, { manifest, skipped }: RestoreResult): Promise<void> {
  const { uri, stop } = await openCliDatabase(config, { canCreate: false })
  const database = await connectDatabase({ mongodbUri: uri }, { dbName: databaseName(uri) })
  try {
    const audit = createAudit({ events: createAuditEventRepository(database.connection), clock: systemClock })
    const missing = skipped.length > 0 ? `, without ${skipped.length} damaged files` : ''
    const details = `the backup of ${manifest.createdAt}, made by Awaz ${manifest.version}${missing}`
    const actor = { email: 'command line' }
    await audit.record({ action: 'backup.restore', outcome: 'success', actor, details }, systemOrigin)
    await createSystemFactRepository(database.connection).remove(lastChecksFact)
  } finally {
    await database.close()
    await stop()
  }
}

function describe({ dataDir, modelsDir }: Config, { manifest, keptModels, skipped }: RestoreResult): string {
  const { collections } = manifest.database
  const documents = collections.reduce((sum, collection) => sum + collection.documents, 0)
  const recordings = manifest.files.filter(isAudioFile).length - skipped.filter((path) => isAudioFile({ path })).length
  const [missing, damaged] = [manifest.missingAudio.length, manifest.damagedAudio.length]
  const kept = keptModels.map(({ path, reason }) => `${path} (${reason})`)
  return [
    `Restored ${documents} documents in ${collections.length} collections and ${recordings} recordings to ${dataDir}: as of ${manifest.createdAt}.`,
    ...(missing > 0 ? [`The audio of ${missing} recordings was missing when the backup was made.`] : []),
    ...(damaged > 0 ? [`The audio of ${damaged} recordings was damaged when the backup was made.`] : []),
    ...describeDamage(manifest, dataDir),
    ...(skipped.length > 0 ? ['Damaged in the backup and not restored:', ...skipped.map(describeSkipped)] : []),
    ...(kept.length > 0 ? [`Not restored to ${modelsDir}: ${kept.join(', ')}.`] : []),
    'Next:',
    '  1. Let the folder belong to the user that Awaz runs as: chown -R awaz: ' + dataDir,
    '  2. Keep the old server stopped: both would send the same mails and webhooks.',
    `  3. Import the models that this instance used, if they are not here: DATA_DIR=${dataDir} npm run awaz -- models list`,
    '  4. Start Awaz, sign in, and open a recording.',
  ].join('\n')
}

function describeDamage({ damagedDocuments: damaged }: BackupManifest, dataDir: string): string[] {
  if (damaged.length === 0) return []
  const left = damaged.filter(({ file }) => file !== undefined)
  return [
    `${damaged.length} documents were damaged when the backup was made: ${listDocumentNames(damaged)}.`,
    ...(left.length > 0
      ? [`The bytes of ${left.length} of them, which cannot be read, are in ${join(dataDir, damagedFolder)}.`]
      : []),
  ]
}

function describeSkipped(path: string): string {
  return isAudioFile({ path }) ? `  recording ${basename(path, extname(path))}` : `  ${path}`
}
