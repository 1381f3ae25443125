import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(dirname(import.meta.dirname))
const failureList = join(root, 'node_modules', '.awaz', 'failures.txt')

/** Runs vitest in the checkout and returns its exit status. */
export function runVitest(args: string[], env: Record<string, string> = {}): number {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  return status ?? 1
}

/**
 * Runs tests as part of a complete run, in which the suites that run the application record what the project `coverage` checks. Returns
 * the exit status. Failures are reported again at the end, because thousands of lines are printed before.
 */
export function runRecordedTests(args: string[] = []): number {
  rmSync(failureList, { force: true })
  const status = runVitest(['--reporter=default', '--reporter=./testing/failure-list.ts', ...args], {
    AWAZ_WHOLE_RUN: '1',
    AWAZ_FAILURE_LIST: failureList,
  })
  if (status !== 0) {
    const failures = existsSync(failureList) ? readFileSync(failureList, 'utf8') : ''
    console.log(`Failed:\n${failures || 'The run ended before it could name what failed; see above.'}`)
  }
  return status
}
