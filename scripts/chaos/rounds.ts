import { setTimeout as wait } from 'node:timers/promises'
import type { FaultContext } from './faults/context.ts'
import { faults } from './faults/all.ts'
import type { Ledger } from './ledger.ts'
import type { Monitor } from './monitor.ts'
import { longestOutageMs } from './outage.ts'
import { randomBetween, type PlannedRound } from './plan.ts'
import { readMemory, signalProcess } from './process-table.ts'
import type { RoundReport } from './report.ts'
import { verify, type VerificationContext } from './verify.ts'

/** Expected recovery time. A longer one is reported but is not a failure: it depends on the machine. */
export const outageLimitMs = 10_000
/** Time after which the run restarts the product itself, so that later rounds stay meaningful. */
const givenUpMs = 60_000
/** Duration of the load before the fault, and after the recovery. */
const calmMs = { min: 300, max: 2_000 }

export interface RoundContext extends Omit<FaultContext, 'random'>, VerificationContext {
  monitor: Monitor
}

export interface RoundOutcome {
  /** Undefined when this machine does not permit the fault. */
  report?: RoundReport
  sentences: string[]
  isLate: boolean
}

/** Breaks the product under load, waits until it responds, and checks the work that it has acknowledged. */
export async function runRound(context: RoundContext, { number, kind, random }: PlannedRound): Promise<RoundOutcome> {
  const { product, monitor, ledger } = context
  const sentences: string[] = []
  const say = (text: string) => sentences.push(`round ${number} (${kind}): ${text}`)
  const before = { ...ledger.counts }
  const unexpectedExitsBefore = product.unexpectedExits()
  const endedBefore = countEndedSessions(context)
  await wait(randomBetween(random, calmMs.min, calmMs.max))

  const done = await faults[kind]({ ...context, random })
  if (!done) return { sentences, isLate: false }
  const { brokenAtMs, healedAtMs } = done
  const isBack = await monitor.untilServed({ sinceMs: Math.max(healedAtMs, brokenAtMs), limitMs: givenUpMs })
  const toMs = performance.now()
  const outageMs = longestOutageMs(monitor.serving, { brokenAtMs, fromMs: healedAtMs, toMs })
  const unreadyMs = longestOutageMs(monitor.ready, { brokenAtMs, fromMs: healedAtMs, toMs })
  if (!isBack) {
    say(`it did not serve again within ${givenUpMs / 1000} s and was started again by hand`)
    for (const { pid } of product.processes()) signalProcess(pid, 'SIGKILL')
    await monitor.untilServed({ sinceMs: performance.now(), limitMs: givenUpMs })
  } else if (product.unexpectedExits() > unexpectedExitsBefore && kind !== 'kill supervisor')
    say('npm start ended by itself')
  await wait(randomBetween(random, calmMs.min, calmMs.max))
  for (const text of (await done.findLater?.()) ?? []) say(text)
  if (!done.mayEndSessions && countEndedSessions(context) > endedBefore) say('a session ended that nobody ended')
  await verify(context, { isAll: false })
  const serverBytes = readMemory(product.find('server')?.pid ?? 0).residentBytes
  const acknowledged = countSince(ledger, before)
  const isLate = Math.max(outageMs, unreadyMs) > outageLimitMs
  return { report: { number, what: done.what, outageMs, unreadyMs, acknowledged, serverBytes }, sentences, isLate }
}

function countEndedSessions({ people }: VerificationContext): number {
  return people.reduce((sum, person) => sum + person.endedSessions(), 0)
}

function countSince({ counts }: Ledger, before: Ledger['counts']): Ledger['counts'] {
  return {
    uploads: counts.uploads - before.uploads,
    jobs: counts.jobs - before.jobs,
    edits: counts.edits - before.edits,
  }
}
