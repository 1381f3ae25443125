import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { api } from '#contract/api.ts'
import { createLedger } from '../chaos/ledger.ts'
import { keepEditing, keepUploading, keepWorking, recordJobEnd, type Load, type SeenJob } from '../chaos/load.ts'
import { createPeople } from '../chaos/people.ts'
import { listProcesses, signalProcess } from '../chaos/process-table.ts'
import { findStoredTwice } from '../chaos/stored-results.ts'
import { followEvents } from '../chaos/stream.ts'
import { verify, waitForJobs, type VerificationContext } from '../chaos/verify.ts'
import { verifyLibrary } from '../chaos/verify-library.ts'
import type { Person } from '../chaos/person.ts'
import { createClusterNetwork, startCluster, type Cluster, callsPerMinute } from './cluster.ts'
import { injectFault, planFaults, type InjectedFault } from './faults.ts'
import type { Network } from './network.ts'
import type { Observation } from './observations.ts'
import type { HostsOptions } from './options.ts'
import { keepListening, keepSendingParts, observe, type ObservedPerson } from './people.ts'
import { evaluateRun, type HostsRun } from './report.ts'

const callFile = join(dirname(dirname(import.meta.dirname)), 'models', 'demo', 'sample-call.mp3')
const peopleCount = 8
/** Number of the eight users who have their recordings transcribed and translated; every second one of the others uploads in parts. */
const workers = 4
const otherWays = [keepUploading, keepSendingParts]

const minuteMs = 60_000
/** Time needed to make calls up to the limit on a busy machine. */
const neededMs = 40_000
const marginMs = 100
/** Exceeds the limit, to see where it takes effect. */
const maxCalls = callsPerMinute * 2
/** Number of concurrent calls, half of them to each server. */
const atOnce = 10

/** Starts the cluster and runs everything. Resolves to whether the run passed, after removing every process, namespace and file. */
export function runHosts({ minutes, logs, audioStore }: HostsOptions): {
  cleanUp: () => void
  isPassed: Promise<boolean>
} {
  const folder = mkdtempSync(join(tmpdir(), 'awaz-hosts-'))
  const logFolder = logs === undefined ? join(folder, 'logs') : resolve(logs)
  let network: Network | undefined

  function cleanUp() {
    // Twice: the second pass finds processes that were just being started.
    for (const _ of [1, 2]) for (const { pid } of listProcesses(folder)) signalProcess(pid, 'SIGKILL')
    network?.destroy()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }

  async function run(): Promise<boolean> {
    try {
      network = createClusterNetwork()
      const startedAt = performance.now()
      const mongodbUri = process.env.MONGODB_URI || undefined
      const cluster = await startCluster({ folder, logFolder, network, audioStore, mongodbUri })
      console.log(`started in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
      const { lines, isPassed } = evaluateRun(await breakUnderLoad(cluster, minutes * 60_000))
      console.log(lines.join('\n'))
      return isPassed
    } finally {
      cleanUp()
    }
  }
  return { cleanUp, isPassed: run() }
}

async function breakUnderLoad(cluster: Cluster, durationMs: number): Promise<HostsRun> {
  const [locked, busy, ...others] = await createPeople(cluster, peopleCount + 2)
  if (!locked || !busy) throw new Error('Nobody could be made an account')
  const sentences = await checkLimits(cluster, { locked, busy })
  const observations: Observation[] = []
  const people = others.map((person) => observe(person, cluster.url, (observation) => observations.push(observation)))
  const ledger = createLedger()
  const stopping = new AbortController()
  const over = new AbortController()
  let round = 0
  const load: Load = { ledger, round: () => round, stopping: stopping.signal }
  const onJob = (job: SeenJob) => recordJobEnd(ledger, job)
  const streams = new Map(
    people.map((person) => [person.number, followEvents(person, { url: cluster.url, signal: over.signal, onJob })]),
  )
  const context: VerificationContext = { people, ledger, streams }
  const working = startWork(people, load, await readFile(callFile))
  working.catch(() => undefined) // reported below, after the faults

  const faults: InjectedFault[] = []
  const beganAt = performance.now()
  try {
    for (const fault of planFaults([...cluster.processes.keys()], durationMs)) {
      await wait(Math.max(0, beganAt + fault.atMs - performance.now()))
      round += 1
      const done = await injectFault(cluster, fault)
      faults.push(done)
      console.log(`${done.kind} ${done.target}: served again after ${((done.toMs - done.fromMs) / 1000).toFixed(1)} s`)
    }
    await wait(Math.max(0, beganAt + durationMs - performance.now()))
    stopping.abort()
    await working
    await waitForJobs(context)
    await verify(context, { isAll: true })
    await verifyLibrary(context)
    await findStoredTwice(ledger, cluster.databaseDir)
  } finally {
    stopping.abort()
    over.abort()
  }
  for (const { name, unexpectedEnds } of cluster.processes.values())
    if (unexpectedEnds() > 0) sentences.push(`${name} ended ${unexpectedEnds()} times although nobody ended it`)
  return { ledger, observations, faults, sentences }
}

async function startWork(people: ObservedPerson[], load: Load, call: Buffer): Promise<void> {
  await Promise.all(
    people.flatMap((person, index) => {
      const keepSending = index < workers ? keepWorking : otherWays[index % otherWays.length]
      return [keepSending?.(person, load, call), keepEditing(person, load), keepListening(person, load, call)]
    }),
  )
}

/** Checks that limits and lockouts count the requests to both servers. Returns a sentence for each that does not. */
async function checkLimits(cluster: Cluster, { locked, busy }: { locked: Person; busy: Person }): Promise<string[]> {
  return [
    ...(await checkLockout(cluster, locked)),
    ...(await checkMails(cluster)),
    ...(await checkCalls(cluster, busy)),
  ]
}

/** Returns the server for a round; they take turns. */
function serverOf({ serverUrls }: Cluster, round: number): string {
  return serverUrls[round % serverUrls.length] ?? ''
}

async function post(url: string, path: string, body: object): Promise<number> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) })
  await response.arrayBuffer()
  return response.status
}

async function checkLockout(cluster: Cluster, { email, password }: Person): Promise<string[]> {
  const signIn = (round: number, given: string) =>
    post(serverOf(cluster, round), api.auth.signIn.path, { email, password: given })
  const statuses: number[] = []
  for (let round = 0; round < 5; round += 1) statuses.push(await signIn(round, 'Wrong-moon7'))
  for (const round of [0, 1]) statuses.push(await signIn(round, password))
  const expected = [401, 401, 401, 401, 401, 423, 423]
  return statuses.join() === expected.join()
    ? []
    : [`five wrong passwords on both servers and then the right one were answered ${statuses.join(', ')}`]
}

async function checkMails(cluster: Cluster): Promise<string[]> {
  const statuses: number[] = []
  for (let round = 0; round < 4; round += 1)
    statuses.push(await post(serverOf(cluster, round), api.auth.forgotPassword.path, { email: 'nobody@example.org' }))
  return statuses.join() === '200,200,200,429'
    ? []
    : [`four requests for a mail on both servers were answered ${statuses.join(', ')}`]
}

async function checkCalls(cluster: Cluster, person: Person): Promise<string[]> {
  const leftMs = minuteMs - (Date.now() % minuteMs)
  // The limit counts calls per clock minute.
  if (leftMs < neededMs) await wait(leftMs + marginMs)
  const answered = await countAnswered(cluster, person)
  const isRight = answered >= callsPerMinute * 0.9 && answered <= callsPerMinute * 1.2
  return isRight ? [] : [`${answered} calls of a user were answered in a minute, at a limit of ${callsPerMinute}`]
}

/** Returns how many calls the servers answer until both refuse. */
async function countAnswered(cluster: Cluster, person: Person): Promise<number> {
  const headers = { Authorization: `Bearer ${person.token()}` }
  let answered = 0
  for (let sent = 0; sent < maxCalls; sent += atOnce) {
    const statuses = await Promise.all(
      Array.from({ length: atOnce }, async (_, index) => {
        const response = await fetch(new URL(api.profile.get.path, serverOf(cluster, index)), { headers })
        await response.arrayBuffer()
        return response.status
      }),
    )
    answered += statuses.filter((status) => status === 200).length
    if (statuses.every((status) => status === 429)) return answered
  }
  return answered
}
