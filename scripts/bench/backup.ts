import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connectDatabase, type DatabaseConnection } from '#data/connect.ts'
import { newId } from '#data/ids.ts'
import { insertRecording } from '#data/recordings/recordings.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { backUpToFolder, type BackupOptions } from '../backup/create/create-backup.ts'
import { encryptAge, keyForPassphrase } from '../backup/format/age-stream.ts'
import { createDecrypter } from '../backup/read/archive-key.ts'
import { verifyBackup } from '../backup/read/verify-backup.ts'
import { restoreBackup } from '../backup/restore/restore-backup.ts'

const passphrase = 'of the benchmark'
const recordingMegabytes = 10

/**
 * Backs up random audio, in turns with `tar` through the same cipher: throughput of both, a second backup with 1% new, verification, restore.
 * Options: --megabytes 2000, --rounds 3, --folder DIR (default: that of temporary files).
 */
export async function run(args: string[]): Promise<void> {
  const options = {
    megabytes: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    folder: { type: 'string', default: tmpdir() },
  } as const
  const { values } = parseArgs({ args, options })
  const root = await mkdtemp(join(values.folder, 'awaz-bench-backup-'))
  const runtime = await makeRuntimeFolder()
  const dataDir = join(root, 'data')
  for (const name of ['db', 'secrets', 'audio']) await mkdir(join(dataDir, name), { recursive: true })
  await writeFile(join(dataDir, 'secrets', 'master-key'), randomBytes(32).toString('base64'))
  const dataFile = join(dataDir, 'db', 'awaz.sqlite')
  const engine = await startEmbeddedDatabase({ dataFile, socketPath: join(runtime, 'db.sock') })
  const database = await connectDatabase({ mongodbUri: engine.uri })
  try {
    const count = Math.ceil(Number(values.megabytes) / recordingMegabytes)
    await storeAudio(database.connection, { dataDir, count })
    const backup = makeOptions(dataDir, engine.uri)
    await compareWithTar({ root, dataDir, count, rounds: Number(values.rounds) }, backup)
    await storeAudio(database.connection, { dataDir, count: Math.ceil(count / 100) })
    await measureRest(root, backup)
  } finally {
    await database.close()
    await engine.stop()
    for (const folder of [root, runtime]) await rm(folder, { recursive: true, force: true })
  }
}

function makeOptions(dataDir: string, uri: string): BackupOptions {
  const progress = { begin: () => undefined, update: () => undefined }
  const encryption = { kind: 'passphrase' as const, passphrase }
  const { signal } = new AbortController()
  return {
    dataDir,
    modelsDir: join(dataDir, 'models'),
    uri,
    dbName: 'awaz',
    encryption,
    withModels: false,
    progress,
    signal,
  }
}

async function storeAudio(
  connection: DatabaseConnection,
  { dataDir, count }: { dataDir: string; count: number },
): Promise<void> {
  const ownerId = newId()
  for (let n = 0; n < count; n++) {
    const [id, content] = [newId(), randomBytes(recordingMegabytes * 1e6)]
    const folder = join(dataDir, 'audio', id.slice(-2))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${id}.wav`), content)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const audio = { durationMs: 1, channels: 1, isStereo: false, peaks: [] }
    const file = { name: 'call.wav', extension: 'wav', sizeBytes: content.length, sha256 }
    await insertRecording(connection, { id, ownerId, ...file, ...audio })
  }
}

async function compareWithTar(
  { root, dataDir, count, rounds }: { root: string; dataDir: string; count: number; rounds: number },
  options: BackupOptions,
): Promise<void> {
  const megabytes = count * recordingMegabytes
  for (let round = 1; round <= rounds; round++) {
    const target = join(root, 'tar.age')
    const tarMs = await measure(() => tarThroughCipher(dataDir, target))
    await rm(target)
    const folder = join(root, 'backups')
    await rm(folder, { recursive: true, force: true })
    const backupMs = await measure(() => backUpToFolder(folder, options))
    const figures = `tar ${rate(megabytes, tarMs)}, backup ${rate(megabytes, backupMs)}`
    console.log(`round ${round}: ${figures}, ratio ${(tarMs / backupMs).toFixed(2)}; backup ${seconds(backupMs)}`)
  }
}

async function measureRest(root: string, options: BackupOptions): Promise<void> {
  const folder = join(root, 'backups')
  console.log(`second backup, 1% new: ${seconds(await measure(() => backUpToFolder(folder, options)))}`)
  const name = (await readdir(folder))
    .filter((entry) => entry.endsWith('.tar.age'))
    .toSorted()
    .at(-1)
  const path = join(folder, name ?? '')
  const decrypter = createDecrypter({ passphrase, identities: [] })
  console.log(`verify: ${seconds(await measure(() => verifyBackup({ path, decrypter })))}`)
  const dataDir = join(root, 'restored')
  const steps = { onStage: () => undefined, onProgress: () => undefined }
  const restore = () => restoreBackup({ path, decrypter, dataDir, modelsDir: join(dataDir, 'models'), ...steps })
  console.log(`restore, with its verification: ${seconds(await measure(restore))}`)
}

async function tarThroughCipher(dataDir: string, target: string): Promise<void> {
  const tar = spawn('tar', ['-cf', '-', '-C', dataDir, 'audio', 'secrets'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const file = await open(target, 'wx')
  await file.writeFile(encryptAge(await keyForPassphrase(passphrase), tar.stdout))
  await file.sync()
  await file.close()
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

function rate(megabytes: number, ms: number): string {
  return `${Math.round((megabytes / ms) * 1000)} MB/s`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
