/** What was wrong with acknowledged work. */
export type FindingKind = 'lost' | 'doubled' | 'unended' | 'unnoticed'

export interface Finding {
  kind: FindingKind
  /** The round in which it was acknowledged. */
  round: number
  text: string
}

/** How a job ended. Two different ends mean that it produced its result twice. */
export interface JobEnd {
  state: 'done' | 'failed' | 'cancelled'
  finishedAt: string
  attempt: number
  errorCode: string | null
}

export interface LedgerJob {
  id: string
  person: number
  kind: 'transcribe' | 'translate'
  /** Upload to which it belongs. */
  recordingId: string
  round: number
  acknowledgedAtMs: number
  end?: JobEnd & { seenAtMs: number }
}

export interface LedgerUpload {
  id: string
  person: number
  sha256: string
  round: number
  name: string
  /** Another possible name: sent but not acknowledged. */
  possibleName?: string
  /** `unknown`: its deletion was sent but not acknowledged. */
  state: 'kept' | 'deleted' | 'unknown'
  isVerified: boolean
  /** No job uses it, so it may be deleted at any time. */
  isSpare: boolean
}

export interface LedgerKeyword {
  word: string
  person: number
  id: string
  round: number
  state: 'kept' | 'deleted' | 'unknown'
}

export interface Ledger {
  uploads: LedgerUpload[]
  jobs: Map<string, LedgerJob>
  keywords: LedgerKeyword[]
  findings: Finding[]
  counts: Record<'uploads' | 'jobs' | 'edits', number>
  /** Number of acknowledged jobs that ended without a result, by error code. */
  failures: Map<string, number>
  addJob(job: Omit<LedgerJob, 'end'>): void
  /** Records how a job ended; a second, different end is a finding. */
  noteEnd(id: string, end: JobEnd, seenAtMs: number): void
  find(kind: FindingKind, round: number, text: string): void
}

/** Attempts after which an interrupted job fails (docs/decisions/jobs.md). The faults explain that error, and a full disk. */
const maxAttempts = 3

export function createLedger(): Ledger {
  const jobs = new Map<string, LedgerJob>()
  const findings: Finding[] = []
  const seen = new Set<string>()
  const counts = { uploads: 0, jobs: 0, edits: 0 }
  const failures = new Map<string, number>()

  function find(kind: FindingKind, round: number, text: string) {
    const key = `${kind}:${text}`
    if (seen.has(key)) return
    seen.add(key)
    findings.push({ kind, round, text })
  }

  function noteFailure({ id, kind, round }: LedgerJob, { state, attempt, errorCode }: JobEnd) {
    const reason = errorCode ?? state
    failures.set(reason, (failures.get(reason) ?? 0) + 1)
    if (state === 'failed' && (attempt >= maxAttempts || reason === 'disk_full')) return
    find('lost', round, `job ${id} (${kind}) ended as ${state} (${reason}) in attempt ${attempt}`)
  }

  return {
    uploads: [],
    jobs,
    keywords: [],
    findings,
    counts,
    failures,
    find,
    addJob(job) {
      if (jobs.has(job.id)) return
      jobs.set(job.id, job)
      counts.jobs += 1
    },
    noteEnd(id, end, seenAtMs) {
      const job = jobs.get(id)
      if (!job) return
      if (!job.end) {
        job.end = { ...end, seenAtMs }
        if (end.state !== 'done') noteFailure(job, end)
        return
      }
      if (job.end.state === end.state && job.end.finishedAt === end.finishedAt) return
      const [first, second] = [job.end, end].map(({ state, finishedAt }) => `${state} at ${finishedAt}`)
      find('doubled', job.round, `job ${id} (${job.kind}) ended as ${first} and as ${second}`)
    },
  }
}

/** Records acknowledged jobs that have not ended after `limitMs`. */
export function findUnended(ledger: Ledger, { nowMs, limitMs }: { nowMs: number; limitMs: number }): void {
  for (const job of ledger.jobs.values()) {
    if (job.end || nowMs - job.acknowledgedAtMs < limitMs) continue
    ledger.find(
      'unended',
      job.round,
      `job ${job.id} (${job.kind}) has not ended ${Math.round(limitMs / 1000)} s after it was taken`,
    )
  }
}

/** Compares the keywords found with those acknowledged to the same person. */
export function checkKeywords(
  ledger: Ledger,
  acknowledged: readonly LedgerKeyword[],
  found: ReadonlySet<string>,
): void {
  for (const { word, round, state } of acknowledged) {
    if (state === 'kept' && !found.has(word)) ledger.find('lost', round, `keyword "${word}" is gone`)
    if (state === 'deleted' && found.has(word))
      ledger.find('lost', round, `the deletion of keyword "${word}" is undone`)
  }
}

/** Compares a recording's name, or null when it is not found, with what was acknowledged. */
export function checkName(ledger: Ledger, upload: LedgerUpload, found: string | null): void {
  if (upload.state === 'unknown') return
  if (upload.state === 'deleted') {
    if (found !== null) ledger.find('lost', upload.round, `the deletion of recording ${upload.id} is undone`)
    return
  }
  if (found === null) ledger.find('lost', upload.round, `recording ${upload.id} is gone`)
  else if (found !== upload.name && found !== upload.possibleName)
    ledger.find('lost', upload.round, `recording ${upload.id} is called "${found}" instead of "${upload.name}"`)
}
