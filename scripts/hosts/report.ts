import type { Ledger } from '../chaos/ledger.ts'
import type { InjectedFault } from './faults.ts'
import { findFailures, findLongestStreak, isAnswered, type Observation } from './observations.ts'

/** How long the same request may fail. */
export const streakLimitMs = 15_000

/** What was observed in a run. */
export interface HostsRun {
  ledger: Ledger
  observations: Observation[]
  faults: InjectedFault[]
  /** Other problems, one sentence each. */
  sentences: string[]
}

/** Returns the last lines of a run, and whether it passed. */
export function evaluateRun({ ledger, observations, faults, sentences }: HostsRun): {
  lines: string[]
  isPassed: boolean
} {
  const problems = [
    ...ledger.findings.map(({ kind, text }) => `${kind}: ${text}`),
    ...[...ledger.failures].map(([code, count]) => `${count} jobs ended without a result: ${code}`),
    ...findStreakProblem(observations),
    ...faults.flatMap((fault) => findRestartProblem(observations, fault)),
    ...sentences,
  ]
  const rows = faults.map((fault) => {
    const failed = findFailures(observations, fault).length
    return [`${fault.kind} ${fault.target}`, seconds(fault.toMs - fault.fromMs), `${failed}`]
  })
  const { uploads, jobs, edits } = ledger.counts
  const longest = findLongestStreak(observations)
  const failedCount = observations.filter((each) => !isAnswered(each)).length
  return {
    lines: [
      ...formatTable([['what was done', 'served again after', 'requests that failed'], ...rows]),
      `acknowledged ${uploads} uploads, ${jobs} jobs, ${edits} edits; ${observations.length} requests, ${failedCount} not answered`,
      `longest time in which a request failed ${seconds(longest?.lengthMs ?? 0)} (limit ${seconds(streakLimitMs)})`,
      ...problems,
      problems.length === 0 ? 'nothing was lost or doubled' : `problems: ${problems.length}`,
    ],
    isPassed: problems.length === 0,
  }
}

function findStreakProblem(observations: Observation[]): string[] {
  const longest = findLongestStreak(observations)
  if (!longest || longest.lengthMs <= streakLimitMs) return []
  return [`${longest.what} of person ${longest.person} failed for ${seconds(longest.lengthMs)}`]
}

/** A restart must go unnoticed: the proxy passes requests that a stopping server does not accept to the other one. */
function findRestartProblem(observations: Observation[], fault: InjectedFault): string[] {
  const failed = fault.kind === 'restart' ? findFailures(observations, fault) : []
  if (failed.length === 0) return []
  const what = [
    ...new Set(
      failed.map(
        ({ what, status, startedAtMs, endedAtMs }) => `${what}: ${status} after ${seconds(endedAtMs - startedAtMs)}`,
      ),
    ),
  ].join(', ')
  return [`requests that failed while ${fault.target} was restarted: ${failed.length} (${what})`]
}

function formatTable(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`
}
