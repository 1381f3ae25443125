import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { ifExists } from '#data/if-exists.ts'

const PackageFile = z.object({ engines: z.object({ node: z.string() }) })

/**
 * Returns why this machine cannot run the release in a folder: another kind of processor, a Node that does not start or is missing or too old. Runs that
 * Node, without the settings of this process.
 *
 * @param options.timeoutMs how long it may take to report its version. Default 10 s.
 */
export async function findRuntimeProblems(folder: string, { timeoutMs = 10_000 } = {}): Promise<string[]> {
  const released = await ifExists(() => readFile(join(folder, 'RELEASE'), 'utf8'))
  const platform = released?.trim().split(' ')[1]
  const own = `linux-${process.arch}`
  if (platform !== undefined && platform !== own) return [`It was built for ${platform}, and this machine is ${own}.`]
  const { engines } = PackageFile.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
  const node = join(folder, `node_modules/node-${own}/bin/node`)
  try {
    const { stdout } = await promisify(execFile)(node, ['--version'], {
      env: {},
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    })
    return isAtLeast(stdout.trim(), engines.node) ? [] : [`Its Node ${stdout.trim()} is older than ${engines.node}.`]
  } catch (error) {
    return [`Its Node does not start on this machine: ${describeFailure(error, timeoutMs)}`]
  }
}

function describeFailure(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error)
  return 'killed' in error && error.killed === true ? `it did not end within ${timeoutMs / 1000} s.` : error.message
}

/** Whether a version such as `v24.1.0` satisfies a range such as `>=20.12`. */
export function isAtLeast(version: string, range: string): boolean {
  const parse = (text: string) =>
    (/(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text) ?? []).slice(1, 4).map((part) => Number(part ?? 0))
  const [have, need] = [parse(version), parse(range)]
  const differing = need.findIndex((part, index) => part !== have[index])
  return differing === -1 || (have[differing] ?? 0) > (need[differing] ?? 0)
}
