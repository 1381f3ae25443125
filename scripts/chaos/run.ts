import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLedger } from './ledger.ts'
import { keepEditing, keepUploading, keepWorking, recordJobEnd, type Load, type SeenJob } from './load.ts'
import { startMonitor } from './monitor.ts'
import type { ChaosOptions } from './options.ts'
import { createPeople } from './people.ts'
import { faultKinds, faultKindsOfSet, planRounds } from './plan.ts'
import { startProduct, type Product } from './product.ts'
import { startReplicaSet, type ReplicaSet } from './replica-set/replica-set.ts'
import { describeRound, describeRun } from './report.ts'
import { outageLimitMs, runRound, type RoundContext } from './rounds.ts'
import { findStoredTwice } from './stored-results.ts'
import { followEvents } from './stream.ts'
import { verify, waitForJobs } from './verify.ts'
import { verifyLibrary } from './verify-library.ts'
import { openVolume, type Volume } from './volume.ts'

/** Time limit for npm start to exit after SIGTERM. */
const stopLimitMs = 10_000
/** Everyone in the run works from one address, so rate limits are raised; they are tested elsewhere. */
export const productEnv = {
  LOG_LEVEL: 'info',
  BCRYPT_COST: '10',
  RATE_UPLOAD_PER_HOUR: '1000000',
  RATE_CALLS_PER_MINUTE: '1000000',
  RATE_SIGNIN_PER_MINUTE: '1000000',
  RATE_REFRESH_PER_MINUTE: '1000000',
}

/** A run that can be aborted. */
export interface ChaosRun {
  /** Immediately kills every process of the run and removes its mount and files. */
  cleanUp(): void
}

/** Runs the rounds and prints the results. Resolves to whether the run passed, after removing every process and file. */
export function runChaos(options: ChaosOptions): { running: ChaosRun; isPassed: Promise<boolean> } {
  const folder = mkdtempSync(join(tmpdir(), 'awaz-chaos-'))
  let volume: Volume | undefined
  let product: Product | undefined
  let replicaSet: ReplicaSet | undefined
  function cleanUp() {
    product?.destroy()
    replicaSet?.destroy()
    volume?.unmount()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
  async function run() {
    try {
      volume = await openVolume(folder)
      if (volume.unavailableReason) console.log(`The disk is never full: ${volume.unavailableReason}`)
      if (options.mongod !== undefined) {
        replicaSet = await startReplicaSet({ mongod: options.mongod })
        console.log(`The database is a replica set at ${replicaSet.uri}`)
      }
      product = await startProduct({
        folder,
        dataDir: volume.dataDir,
        env: { ...productEnv, ...(replicaSet && { MONGODB_URI: replicaSet.uri }) },
        ...(options.log && { logFile: options.log }),
      })
      return await runOn({ product, volume, replicaSet }, options)
    } finally {
      cleanUp()
    }
  }
  return { running: { cleanUp }, isPassed: run() }
}

async function runOn(
  { product, volume, replicaSet }: Pick<RoundContext, 'product' | 'volume' | 'replicaSet'>,
  options: ChaosOptions,
) {
  const startedAt = performance.now()
  const everybody = await createPeople(product, options.people + 2)
  const [observer, bystander, ...people] = everybody
  if (!observer || !bystander) throw new Error('Nobody could be made an account')
  console.log(`started in ${((performance.now() - startedAt) / 1000).toFixed(1)} s; seed ${options.seed}`)

  const ledger = createLedger()
  const stopping = new AbortController()
  const over = new AbortController()
  let round = 0
  const load: Load = { ledger, round: () => round, stopping: stopping.signal }
  const streams = new Map(
    people.map((person) => {
      const follow = {
        url: product.url,
        signal: over.signal,
        onJob: (job: SeenJob) => recordJobEnd(ledger, job),
      }
      return [person.number, followEvents(person, follow)]
    }),
  )
  const monitor = startMonitor(observer, { url: product.url, signal: over.signal })
  const context: RoundContext = { product, volume, replicaSet, bystander, people, ledger, streams, monitor }
  const working = Promise.all(
    people.flatMap((person) => [keepWorking, keepUploading, keepEditing].map((keep) => keep(person, load))),
  )
  working.catch(() => undefined) // reported below, after the rounds

  const sentences: string[] = []
  let longestOutageMs = 0
  let late = 0
  try {
    for (const planned of planRounds({
      rounds: options.rounds,
      seed: options.seed,
      kinds: options.only ?? (replicaSet ? faultKindsOfSet : faultKinds),
    })) {
      round = planned.number
      const outcome = await runRound(context, planned)
      console.log(
        outcome.report
          ? describeRound(outcome.report)
          : `round ${String(round).padStart(3)}  ${planned.kind}: not possible here, left out`,
      )
      for (const sentence of outcome.sentences) console.log(`  ${sentence}`)
      sentences.push(...outcome.sentences)
      longestOutageMs = Math.max(longestOutageMs, outcome.report?.outageMs ?? 0)
      if (outcome.isLate) late += 1
    }
    stopping.abort()
    await working
    await waitForJobs(context)
    await verify(context, { isAll: true })
    await verifyLibrary(context)
    await findStoredTwice(ledger, product.dataDir, replicaSet && { MONGODB_URI: replicaSet.uri })
  } finally {
    stopping.abort()
    over.abort()
  }
  const stopMs = await product.stop(stopLimitMs)
  if (stopMs >= stopLimitMs) {
    const left = product.processes().map(({ role }) => role)
    sentences.push(`${left.join(', ')} did not end within ${stopLimitMs / 1000} s of SIGTERM`)
  }
  const { lines, isPassed } = describeRun(
    ledger,
    { sentences, late },
    { rounds: options.rounds, longestOutageMs, limitMs: outageLimitMs },
  )
  console.log(lines.join('\n'))
  console.log(
    `stopped in ${(stopMs / 1000).toFixed(1)} s; ${((performance.now() - startedAt) / 60_000).toFixed(1)} min in all`,
  )
  return isPassed
}
