import { isDatabaseAway, isDatabaseDiskFailure } from '#data/database-errors.ts'

export interface CheckResult {
  ok: boolean
  /** A few words for an operator: what is wrong where something is. */
  message: string
}

/** One thing the server needs. Never rejects for long: a check that hangs counts as failed. */
export type ReadinessCheck = () => Promise<CheckResult>

interface Readiness {
  status: 'ready' | 'not_ready'
  checks: Record<string, CheckResult>
}

const checkTimeoutMs = 3000

/** What GET /readyz asks. Features add their checks when they are mounted. Those who ask at the same time share one answer. */
export function createReadiness() {
  const checks = new Map<string, ReadinessCheck>()
  let running: Promise<Readiness> | undefined

  async function runChecks(): Promise<Readiness> {
    const entries = await Promise.all([...checks].map(async ([name, check]) => [name, await settle(check)] as const))
    const status = entries.every(([, { ok }]) => ok) ? 'ready' : 'not_ready'
    return { status, checks: Object.fromEntries(entries) }
  }

  function run(): Promise<Readiness> {
    running ??= runChecks().finally(() => (running = undefined))
    return running
  }

  return { add: (name: string, check: ReadinessCheck) => void checks.set(name, check), run }
}

async function settle(check: ReadinessCheck): Promise<CheckResult> {
  const late = Promise.withResolvers<CheckResult>()
  const timer = setTimeout(() => late.resolve({ ok: false, message: 'no answer' }), checkTimeoutMs)
  try {
    return await Promise.race([check(), late.promise])
  } catch (error) {
    return { ok: false, message: describe(error) }
  } finally {
    clearTimeout(timer)
  }
}

function describe(error: unknown): string {
  if (isDatabaseAway(error)) return 'the database cannot be reached'
  if (isDatabaseDiskFailure(error)) return 'the database cannot write: its disk is full or read-only'
  return error instanceof Error ? error.name : 'failed'
}
