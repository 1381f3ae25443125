import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { hashFile } from '#data/hash-file.ts'
import { seededRandom } from '#engine/speech/seeded-random.ts'
import { restoreBackup } from '../backup/restore/restore-backup.ts'
import { listRecords } from '../backup/store/backup-record.ts'
import { createLedger, type LedgerUpload } from './ledger.ts'
import { keepEditing, keepUploading, keepWorking } from './load.ts'
import type { ChaosOptions } from './options.ts'
import { createPeople, waitUntilReady } from './people.ts'
import { randomItem } from './plan.ts'
import { signalProcess } from './process-table.ts'
import { startProduct, type Product } from './product.ts'
import { productEnv, type ChaosRun } from './run.ts'

const awaz = join(import.meta.dirname, '..', 'awaz.ts')
const victims = ['database', 'server', 'engine', 'supervisor', 'backup'] as const
type Victim = (typeof victims)[number]

/** A backup that was reported as finished. */
interface FinishedBackup {
  path: string
  /** What was acknowledged before it began. */
  uploads: LedgerUpload[]
}

/**
 * Makes backups of the product while people and an engine work, and kills one process during each: a part of the product, or the backup
 * itself. Then restores each backup that was reported as finished. Resolves to whether all are complete, after removing every process
 * and file.
 */
export function runBackupChaos(options: ChaosOptions & { backups: number }): {
  running: ChaosRun
  isPassed: Promise<boolean>
} {
  const folder = mkdtempSync(join(tmpdir(), 'awaz-chaos-'))
  let product: Product | undefined
  function cleanUp() {
    product?.destroy()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
  async function run() {
    try {
      product = await startProduct({ folder, dataDir: join(folder, 'data'), env: productEnv })
      return await runOn(product, folder, options)
    } finally {
      cleanUp()
    }
  }
  return { running: { cleanUp }, isPassed: run() }
}

async function runOn(
  product: Product,
  folder: string,
  { backups, seed, people: count }: ChaosOptions & { backups: number },
) {
  const backupDir = join(folder, 'backups')
  mkdirSync(backupDir)
  const people = await createPeople(product, count)
  const ledger = createLedger()
  const stopping = new AbortController()
  const load = { ledger, round: () => 0, stopping: stopping.signal }
  const working = Promise.all(
    people.flatMap((person) => [keepWorking, keepUploading, keepEditing].map((keep) => keep(person, load))),
  )
  working.catch(() => undefined) // reported below, after the rounds
  const random = seededRandom(seed)
  const calm = performance.now()
  const problems: string[] = []
  const finished = new Map<string, FinishedBackup>()
  await backUp(product, backupDir, undefined)
  const wholeMs = performance.now() - calm
  const ends: Record<string, number> = {}
  for (let round = 1; round <= backups; round += 1) {
    const victim = randomItem(random, victims)
    const uploads = ledger.uploads.filter(({ state }) => state === 'kept')
    const before = new Set((await listRecords(backupDir)).records.map(({ archive }) => archive.name))
    const { status, errors } = await backUp(product, backupDir, { victim, afterMs: wholeMs * random() })
    const { records, unreadable } = await listRecords(backupDir)
    const added = records.filter(({ archive }) => !before.has(archive.name))
    if (unreadable.length > 0) problems.push(`round ${round}: ${unreadable.join(', ')} cannot be read`)
    if (status === 0 && added.length !== 1)
      problems.push(`round ${round}: called finished, and ${added.length} are listed`)
    for (const { archive } of added) finished.set(archive.name, { path: join(backupDir, archive.name), uploads })
    const end = added.length > 0 ? 'finished' : 'none made'
    ends[`${victim} killed, ${end}`] = (ends[`${victim} killed, ${end}`] ?? 0) + 1
    console.log(
      `round ${String(round).padStart(3)}  kill -9 ${victim}: ${end} (status ${status})${reasonOf(errors, status)}`,
    )
    await waitUntilReady(product.url)
  }
  stopping.abort()
  await working
  await product.stop(10_000)
  let restored = 0
  for (const backup of finished.values()) {
    const losses = await findLosses(folder, backup)
    problems.push(...losses)
    if (losses.length === 0) restored += 1
  }
  for (const [end, times] of Object.entries(ends).toSorted()) console.log(`${String(times).padStart(4)}  ${end}`)
  for (const problem of problems) console.log(`FAILED ${problem}`)
  console.log(
    `${backups} backups, ${finished.size} called finished, ${restored} restored whole, ${problems.length} problems`,
  )
  return problems.length === 0
}

/** Makes a backup with the command, and kills a process while it runs. */
async function backUp(
  product: Product,
  backupDir: string,
  fault: { victim: Victim; afterMs: number } | undefined,
): Promise<{ status: number | null; errors: string }> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', awaz, 'backup', backupDir, '--unencrypted'],
    {
      env: {
        ...process.env,
        AWAZ_ENV_FILE: '',
        DATA_DIR: product.dataDir,
        TMPDIR: product.temporaryDir,
        XDG_RUNTIME_DIR: undefined,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const closed = Promise.all([text(child.stderr), once(child, 'close')])
  if (fault) {
    await Promise.race([wait(fault.afterMs), closed])
    killVictim(product, fault.victim, () => child.kill('SIGKILL'))
  }
  const [errors] = await closed
  return { status: child.exitCode, errors }
}

function killVictim(product: Product, victim: Victim, killBackup: () => void): void {
  if (victim === 'backup') return killBackup()
  if (victim === 'supervisor') return product.killSupervisor()
  const found = product.find(victim)
  if (found) signalProcess(found.pid, 'SIGKILL')
}

function reasonOf(errors: string, status: number | null): string {
  return status === 1 ? `: ${errors.trim().split('\n').at(-1)}` : ''
}

/** Restores a backup, and looks for the audio of every upload that was acknowledged before it and not deleted since. */
async function findLosses(folder: string, { path, uploads }: FinishedBackup): Promise<string[]> {
  const dataDir = join(folder, 'restored')
  try {
    await restoreBackup({
      path,
      dataDir,
      modelsDir: join(dataDir, 'models'),
      onStage: () => undefined,
      onProgress: () => undefined,
    })
    const kept = uploads.filter(({ state }) => state === 'kept')
    const found = await Promise.all(
      kept.map(async ({ id, sha256 }) => {
        const file = await hashFile(join(dataDir, 'audio', id.slice(-2), `${id}.mp3`)).catch(() => undefined)
        return file?.sha256 === sha256 ? [] : [`${path} lacks recording ${id}`]
      }),
    )
    return found.flat()
  } catch (error) {
    return [`${path} does not restore: ${String(error)}`]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
