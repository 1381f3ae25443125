import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import mongoose from 'mongoose'
import { TranscriptionLanguage } from '#contract/languages.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { startRealServer } from './remote/real-server.ts'
import { cutSampleCall, listClips } from './scale/cut-clips.ts'
import { race, type ThroughputOptions, type ThroughputResult } from './scale/race.ts'

/** Required throughput of two engines relative to one, where each has a CPU. */
const wanted = 1.7
const options = {
  clips: { type: 'string', default: '200' },
  'single-clips': { type: 'string' },
  folder: { type: 'string' },
  language: { type: 'string', default: 'ps' },
  python: { type: 'string' },
  models: { type: 'string' },
} as const

/**
 * Measures one engine and two, with one thread each, on one queue of the embedded database: throughput, and whether each clip was
 * transcribed once. Options: --clips N (200), --single-clips N for one engine (the same), --folder DIR of recordings instead of the
 * sample call, in --language CODE. With --python PYTHON that has faster-whisper-server and --models DIR with whisper-base-ct2/ the engines
 * send the clips to one and to two transcription servers, of one thread each.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options })
  const count = Number(values.clips)
  const singleCount = Number(values['single-clips'] ?? count)
  await withPlace(async (place) => {
    const clips = values.folder ? await listClips(values.folder) : await cutSampleCall(place.dataDir)
    const common = { ...place, clips, language: TranscriptionLanguage.parse(values.language) }
    console.log(`${availableParallelism()} CPUs, load ${loadavg()[0]?.toFixed(1)}; ${clips.length} different clips`)
    const servers = await startServers(values)
    try {
      const addresses = servers.map(({ address }) => address)
      const one = await race({ ...common, count: singleCount, engines: 1, env: useServers(addresses.slice(0, 1)) })
      print(`1 engine${addresses.length > 0 ? ' and 1 server' : ''}`, singleCount, one)
      const two = await race({ ...common, count, engines: 2, env: useServers(addresses) })
      print(`2 engines${addresses.length > 0 ? ' and 2 servers' : ''}`, count, two)
      compare({ result: one, count: singleCount }, { result: two, count })
    } finally {
      await Promise.all(servers.map((server) => server.kill()))
    }
  })
}

async function withPlace(work: (place: Pick<ThroughputOptions, 'queue' | 'database' | 'dataDir'>) => Promise<void>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'awaz-scale-'))
  const runtimeDir = await makeRuntimeFolder()
  const database = await startEmbeddedDatabase({
    dataFile: join(dataDir, 'bench.sqlite'),
    socketPath: join(runtimeDir, 'db.sock'),
  })
  const dbName = 'awaz'
  const connection = await mongoose
    .createConnection(database.uri, { dbName, autoIndex: false, autoCreate: false })
    .asPromise()
  try {
    const queue = openQueue(connection, { maxQueuedPerUser: 10_000, maxQueued: 10_000 })
    await ensureIndexes(connection)
    await work({ queue, database: { uri: database.uri, dbName }, dataDir })
  } finally {
    await connection.close()
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
    await rm(runtimeDir, { recursive: true, force: true })
  }
}

async function startServers({ python, models }: { python?: string | undefined; models?: string | undefined }) {
  if (!python || !models) return []
  return Promise.all([1, 2].map(() => startRealServer({ python, modelsDir: models })))
}

function useServers(addresses: string[]): Record<string, string> {
  return addresses.length > 0 ? { SPEECH_SERVERS: addresses.join(',') } : {}
}

function print(name: string, count: number, { seconds, shares, faults }: ThroughputResult): void {
  const rate = (count / seconds).toFixed(2)
  console.log(`${name}: ${count} clips in ${seconds.toFixed(1)} s, ${rate} a second; by engine ${shares.join(' and ')}`)
  console.log(faults.length === 0 ? '  each clip was done once' : faults.map((fault) => `  ${fault}`).join('\n'))
  if (faults.length > 0) process.exitCode = 1
}

interface Race {
  result: ThroughputResult
  count: number
}

function compare(one: Race, two: Race): void {
  const ratio = two.count / two.result.seconds / (one.count / one.result.seconds)
  console.log(
    `2 engines do ${ratio.toFixed(2)} times the work of one (wanted: ${wanted} where each has a CPU to itself)`,
  )
  const common = Math.min(one.count, two.count)
  const differing = one.result.texts.slice(0, common).filter((text, index) => text !== two.result.texts[index]).length
  console.log(`texts that differ between the two: ${differing} of ${common}`)
}
