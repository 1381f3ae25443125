import { isDatabaseUnavailable, isDatabaseDiskFailure } from '#data/database-errors.ts'
import type { HealthIssueCode } from './state/health-issues.ts'

export interface CheckResult {
  ok: boolean
  /** A few words for an operator: what is wrong, or where something is. */
  message: string
}

/** The outcome of a check. */
export interface CheckOutcome extends CheckResult {
  /** What is wrong, if `awaz doctor` and the System page have a code for it. */
  issue?: HealthIssueCode
}

/** Checks one thing that the server needs. A check that takes longer than 3 s counts as failed. */
export type ReadinessCheck = () => Promise<CheckOutcome>

interface ReadinessReport {
  status: 'ready' | 'not_ready'
  checks: Record<string, CheckResult>
}

const checkTimeoutMs = 3000

export type Readiness = ReturnType<typeof createReadiness<'mail'>>

/**
 * Creates the function that GET /readyz runs: all checks, by name. Concurrent requests share one run. Checks in `shownOnly` are reported,
 * but the server stays ready when they fail.
 */
export function createReadiness<Name extends string>(
  checks: Record<Name, ReadinessCheck>,
  { shownOnly }: { shownOnly: NoInfer<Name>[] },
) {
  let running: Promise<ReadinessReport> | undefined

  async function runChecks(): Promise<ReadinessReport> {
    const results = await Promise.all(
      Object.entries<ReadinessCheck>(checks).map(async ([name, check]) => {
        const { ok, message } = await runWithTimeout(check)
        return [name, { ok, message }] as const
      }),
    )
    const needed = results.filter(([name]) => !shownOnly.some((shown) => shown === name))
    const status = needed.every(([, { ok }]) => ok) ? 'ready' : 'not_ready'
    return { status, checks: Object.fromEntries(results) }
  }

  function run(): Promise<ReadinessReport> {
    running ??= runChecks().finally(() => (running = undefined))
    return running
  }

  /** Runs one check. */
  function check(name: Name): Promise<CheckOutcome> {
    return runWithTimeout(checks[name])
  }

  return { run, check }
}

async function runWithTimeout(check: ReadinessCheck): Promise<CheckOutcome> {
  const timeout = Promise.withResolvers<CheckOutcome>()
  const timer = setTimeout(() => timeout.resolve({ ok: false, message: 'no answer' }), checkTimeoutMs)
  try {
    return await Promise.race([check(), timeout.promise])
  } catch (error) {
    return { ok: false, message: describe(error) }
  } finally {
    clearTimeout(timer)
  }
}

function describe(error: unknown): string {
  if (isDatabaseUnavailable(error)) return 'the database cannot be reached'
  if (isDatabaseDiskFailure(error)) return 'the database cannot write: its disk is full or read-only'
  return error instanceof Error ? error.name : 'failed'
}
