/** One thing the server needs. Never rejects for long: a check that hangs counts as failed. */
export type ReadinessCheck = () => Promise<{ ok: boolean; message: string }>

const checkTimeoutMs = 3000

/** What GET /readyz asks. Features add their checks when they are mounted. */
export function createReadiness() {
  const checks = new Map<string, ReadinessCheck>()

  async function run(): Promise<{
    status: 'ready' | 'not_ready'
    checks: Record<string, { ok: boolean; message: string }>
  }> {
    const entries = await Promise.all([...checks].map(async ([name, check]) => [name, await settle(check)] as const))
    const status = entries.every(([, { ok }]) => ok) ? 'ready' : 'not_ready'
    return { status, checks: Object.fromEntries(entries) }
  }

  return { add: (name: string, check: ReadinessCheck) => void checks.set(name, check), run }
}

async function settle(check: ReadinessCheck): Promise<{ ok: boolean; message: string }> {
  const late = Promise.withResolvers<{ ok: boolean; message: string }>()
  const timer = setTimeout(() => late.resolve({ ok: false, message: 'no answer' }), checkTimeoutMs)
  try {
    return await Promise.race([check(), late.promise])
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.name : 'failed' }
  } finally {
    clearTimeout(timer)
  }
}
