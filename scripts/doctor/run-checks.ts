import { doctorFinding } from './checks.ts'
import type { Check, HostContext } from './context.ts'
import type { Finding } from './finding.ts'

interface RunOptions {
  /** Called before each check. */
  onCheck?: (name: string) => void
}

/** Runs checks one after the other. An error in a check becomes a finding; the signal ends all checks. */
export async function runChecks<Context extends HostContext>(
  checks: readonly Check<Context>[],
  context: Context,
  { onCheck }: RunOptions = {},
): Promise<Finding[]> {
  const found: Finding[] = []
  for (const check of checks) {
    context.signal.throwIfAborted()
    onCheck?.(check.name)
    try {
      found.push(...(await check.run(context)))
    } catch (error) {
      context.signal.throwIfAborted()
      const reason = error instanceof Error ? error.message : String(error)
      found.push(doctorFinding('doctor.check_failed', `The check of ${check.name} ended with: ${reason}`))
    }
  }
  return found
}

/** Whether a finding still needs action. */
export function needsAction({ severity, fixed }: Finding): boolean {
  return severity !== 'note' && fixed === undefined
}
