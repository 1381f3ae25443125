import type { FindingKind, Ledger } from './ledger.ts'

/** Failures of a run, apart from those in its ledger. */
export interface RunFaults {
  /** One sentence each, with the round. */
  sentences: string[]
  /** Rounds in which the service did not recover by itself in time. */
  late: number
}

export interface RoundReport {
  number: number
  what: string
  outageMs: number
  unreadyMs: number
  acknowledged: Ledger['counts']
  serverBytes: number
}

const findingKinds: FindingKind[] = ['lost', 'doubled', 'unended', 'unnoticed']

/** Returns one line of the report. */
export function describeRound(report: RoundReport): string {
  const { number, what, outageMs, unreadyMs, acknowledged, serverBytes } = report
  return [
    `round ${String(number).padStart(3)}`,
    what.padEnd(30),
    `no answer ${seconds(outageMs)}`,
    `not ready ${seconds(unreadyMs)}`,
    `acknowledged ${acknowledged.uploads} uploads, ${acknowledged.jobs} jobs, ${acknowledged.edits} edits`,
    `server ${Math.round(serverBytes / 1024 ** 2)} MB`,
  ].join('  ')
}

/** Returns the last lines of the report, and whether the run passed; slow recoveries are reported but are not failures. */
export function describeRun(
  ledger: Ledger,
  { sentences, late }: RunFaults,
  { rounds, longestOutageMs, limitMs }: { rounds: number; longestOutageMs: number; limitMs: number },
): { lines: string[]; isPassed: boolean } {
  const { uploads, jobs, edits } = ledger.counts
  const counted = findingKinds.map((kind) => {
    const count = ledger.findings.filter((finding) => finding.kind === kind).length
    return `${count} ${kind}`
  })
  const failures = [...ledger.failures].map(([code, count]) => `${count} ${code}`)
  const lines = [
    ...ledger.findings.map(({ kind, round, text }) => `${kind}: ${text} (acknowledged in round ${round})`),
    ...sentences,
    `${rounds} rounds; acknowledged ${uploads} uploads, ${jobs} jobs, ${edits} edits; ${counted.join(', ')}`,
    `jobs that ended without a result: ${failures.join(', ') || 'none'}`,
    `longest time without an answer ${seconds(longestOutageMs)} (limit ${seconds(limitMs)}), exceeded in ${late} rounds`,
  ]
  return { lines, isPassed: ledger.findings.length === 0 && sentences.length === 0 }
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`
}
