import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectDatabase } from '#data/connect.ts'
import { signInAsFirstAdmin } from '#testing/api-calls.ts'
import { startStack } from '#testing/stack.ts'
import { createUserRepository } from '#data/users/users.ts'
import { storeLongCall } from '#testing/long-call.ts'
import { measurePeople } from './people-part.ts'
import { measureSound } from './sound-part.ts'
import { folderBytes, readProductCost, watchProductCost } from './product-cost.ts'
import { describeMemory, megabytes, sumCpu, sumMemory } from './figures.ts'
import type { Bench } from './bench.ts'

/** Time for startup work to finish. */
const settleMs = 60_000
const measuredMs = 30_000

/** Prints the memory and CPU usage of an idle product. */
async function measureIdle({ mark }: Bench): Promise<void> {
  await sleep(settleMs)
  const watch = watchProductCost(mark)
  await sleep(measuredMs)
  const spent = watch.stop()
  const cost = readProductCost(mark)
  const shares = Object.entries(spent).map(([role, { cpuSeconds }]) => `${role} ${shareOf(cpuSeconds)}`)
  console.log(`at rest: ${megabytes(sumMemory(cost))} (${describeMemory(cost)})`)
  console.log(`at rest: ${shareOf(sumCpu(spent))} of a core (${shares.join(', ')})`)
}

function shareOf(cpuSeconds: number): string {
  return `${((100_000 * cpuSeconds) / measuredMs).toFixed(1)}%`
}

const callMinutes = 10
const quietMs = 10_000
/** Two channels of 8,000 samples of 16 bits. */
const telephoneBytesPerSecond = 2 * 8_000 * 2

/** Stores finished calls, translated and analysed, and prints what an hour of them takes in the database. */
async function measureDisk({ stack, database }: Bench, { hours }: { hours: number }): Promise<void> {
  const owner = await createUserRepository(database.connection).findByEmail(stack.admin.email)
  if (!owner) throw new Error('There is no first admin')
  const before = folderBytes(join(stack.dataDir, 'db'))
  const count = Math.ceil((hours * 60) / callMinutes)
  for (let seed = 1; seed <= count; seed += 1)
    await storeLongCall(database, owner.id, { minutes: callMinutes, seed, recording: { name: `Call ${seed}.mp3` } })
  const bytes = (await waitForIndex(join(stack.dataDir, 'db'))) - before
  console.log(
    [
      `database: ${megabytes(bytes / hours)} for an hour of talk with a translation and its search index (${hours} hours)`,
      `sound: ${megabytes(telephoneBytesPerSecond * 3600)} for an hour of two-channel telephone PCM, as it was uploaded`,
    ].join('\n'),
  )
}

/** Returns the bytes of the database once the engine has written nothing for a while: derived data is written after the calls. */
async function waitForIndex(folder: string): Promise<number> {
  let bytes = folderBytes(folder)
  for (;;) {
    await sleep(quietMs)
    const now = folderBytes(folder)
    if (now === bytes) return bytes
    bytes = now
  }
}

/**
 * Measures the resources of an installation with the embedded database: memory at rest, memory and CPU under user load, CPU and memory of
 * transcription and translation, and the disk space of an hour of audio. Produces the figures in docs/sizing.md.
 *
 * Options: `--people 100` active for `--seconds 60`; `--hours 10` of calls on the disk; `--sound FILE` (default: the demo call) is
 * transcribed `--copies 10` times; `--model FOLDER` imports a speech model for it, in place of the demo models.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      people: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '60' },
      hours: { type: 'string', default: '10' },
      copies: { type: 'string', default: '10' },
      sound: { type: 'string', default: join(import.meta.dirname, '../../../models/demo/sample-call.mp3') },
      model: { type: 'string' },
    },
  })
  const mark = await mkdtemp(join(tmpdir(), 'awaz-sizing-'))
  const modelsDir = values.model === undefined ? undefined : importModel(values.model, mark)
  const stack = await startStack({
    TMPDIR: mark,
    RATE_SIGNIN_PER_MINUTE: '100000',
    RATE_UPLOAD_PER_HOUR: '100000',
    MAX_CONNECTIONS_PER_ADDRESS: '10000',
    ...(modelsDir && { MODELS_DIR: modelsDir }),
  })
  const database = await connectDatabase({
    mongodbUri: (await readFile(join(stack.dataDir, 'db/uri'), 'utf8')).trim(),
  })
  const token = await signInAsFirstAdmin(stack.url, stack.dataDir)
  const bench = { stack, database, mark, token }
  console.log(`${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}`)
  try {
    await measureIdle(bench)
    await measureSound(bench, { path: values.sound, copies: Number(values.copies) })
    await measureDisk(bench, { hours: Number(values.hours) })
    await measurePeople(bench, { people: Number(values.people), seconds: Number(values.seconds) })
  } finally {
    await database.close()
    await stack.stop()
    await rm(mark, { recursive: true, force: true })
  }
}

/** Imports a model as an administrator does. Returns the folder of models. */
function importModel(folder: string, mark: string): string {
  const modelsDir = join(mark, 'models')
  const { status, stderr } = spawnSync(process.execPath, ['scripts/awaz.ts', 'models', 'import', folder], {
    env: { ...process.env, MODELS_DIR: modelsDir, AWAZ_ENV_FILE: '' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return modelsDir
}
