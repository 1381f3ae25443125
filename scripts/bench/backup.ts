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
import { measureSignIns, type SignInOptions } from './backup/sign-ins.ts'
import { median } from './fairness/judge.ts'
import { printLimits } from './limits.ts'

const passphrase = 'of the benchmark'
const recordingMegabytes = 10

/** As a share of the throughput of tar through the same cipher. */
const minShareOfTar = 0.7
/** As a share of the time of the first backup, when 1% of the audio is new. */
const maxShareOfFirst = 0.03

/**
 * Backs up random audio, taking turns with `tar` through the same cipher, and measures the throughput of both; a second backup with 1%
 * new audio; sign-ins during a backup; verification and restore. Needs three times the disk space of the audio. Exits with status 1 if
 * one of the first three exceeds its limit. Options: --megabytes 2000, --rounds 3, --folder DIR (default: the temporary folder).
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
    const folder = join(root, 'backups')
    const firstMs = await compareWithTar({ root, folder, dataDir, count, rounds: Number(values.rounds) }, backup)
    await storeAudio(database.connection, { dataDir, count: Math.ceil(count / 100) })
    await measureSecond({ folder, firstMs }, backup)
    await rm(folder, { recursive: true })
    await mkdir(folder)
    await compareSignIns({ dataDir, uri: engine.uri, folder, passphrase })
    await measureRestore({ folder, dataDir: join(root, 'restored') })
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
    audioCopyBytes: 0,
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

interface Comparison {
  root: string
  /** Where the backups are written. */
  folder: string
  dataDir: string
  /** Number of recordings. */
  count: number
  rounds: number
}

/** Returns the time of the last backup, in milliseconds. */
async function compareWithTar(
  { root, folder, dataDir, count, rounds }: Comparison,
  options: BackupOptions,
): Promise<number> {
  const megabytes = count * recordingMegabytes
  const ratios: number[] = []
  let backupMs = 0
  for (let round = 1; round <= rounds; round++) {
    const target = join(root, 'tar.age')
    const tarMs = await measure(() => tarThroughCipher(dataDir, target))
    await rm(target)
    await rm(folder, { recursive: true, force: true })
    backupMs = await measure(() => backUpToFolder(folder, options))
    ratios.push(tarMs / backupMs)
    const figures = `tar ${rate(megabytes, tarMs)}, backup ${rate(megabytes, backupMs)}`
    console.log(`round ${round}: ${figures}, ratio ${(tarMs / backupMs).toFixed(2)}; backup ${seconds(backupMs)}`)
  }
  const share = { value: 1 / median(ratios), limit: Number((1 / minShareOfTar).toFixed(2)) }
  printLimits([{ name: 'time of the backup, of tar', ...share, unit: 'times' }])
  return backupMs
}

async function measureSecond(
  { folder, firstMs }: { folder: string; firstMs: number },
  options: BackupOptions,
): Promise<void> {
  const secondMs = await measure(() => backUpToFolder(folder, options))
  console.log(`second backup, 1% new: ${seconds(secondMs)}`)
  const share = { value: (100 * secondMs) / firstMs, limit: 100 * maxShareOfFirst }
  printLimits([{ name: 'second backup, of the first', ...share, unit: '%' }])
}

async function compareSignIns(options: SignInOptions): Promise<void> {
  const { calm, during } = await measureSignIns(options)
  const [calmMs, duringMs] = [median(calm), median(during)]
  console.log(`sign-in: ${ms(calmMs)} (${calm.length}), beside a backup ${ms(duringMs)} (${during.length})`)
  printLimits([{ name: 'sign-in beside a backup, of calm', value: duringMs / calmMs, limit: 2, unit: 'times' }])
}

async function measureRestore({ folder, dataDir }: { folder: string; dataDir: string }): Promise<void> {
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.tar.age'))
  const path = join(folder, name ?? '')
  const decrypter = createDecrypter({ passphrase, identities: [] })
  console.log(`verify: ${seconds(await measure(() => verifyBackup({ path, decrypter })))}`)
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

function ms(value: number): string {
  return `${Math.round(value)} ms`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
