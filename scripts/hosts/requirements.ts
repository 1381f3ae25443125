import { spawnSync } from 'node:child_process'
import { connectClient } from '#data/connect.ts'

/** Which of the run's requirements this machine meets. */
export interface MachineCapabilities {
  isRoot: boolean
  /** Programs that start. */
  programs: ReadonlySet<string>
  /** Whether a network namespace can be created. */
  hasNamespaces: boolean
}

/** Where each program comes from in Debian. */
const packages = { ip: 'iproute2', unshare: 'util-linux', nginx: 'nginx' }
type Program = keyof typeof packages
const allPrograms = Object.keys(packages) as Program[] // the names above

/** Looks for the programs, and tries to create a network namespace. */
export function readCapabilities(): MachineCapabilities {
  const starts = ([name, flag]: [string, string]) => spawnSync(name, [flag], { stdio: 'ignore' }).status === 0
  const flags: [string, string][] = [
    ['ip', '-V'],
    ['unshare', '--version'],
    ['nginx', '-v'],
  ]
  const name = `awaz-trial-${process.pid}`
  const hasNamespaces = spawnSync('ip', ['netns', 'add', name], { stdio: 'ignore' }).status === 0
  if (hasNamespaces) spawnSync('ip', ['netns', 'del', name], { stdio: 'ignore' })
  return {
    isRoot: process.geteuid?.() === 0,
    programs: new Set(flags.filter(starts).map(([program]) => program)),
    hasNamespaces,
  }
}

/** Returns a line that says what is missing; undefined if nothing is. */
export function findMissing(
  { isRoot, programs, hasNamespaces }: MachineCapabilities,
  needed: readonly Program[] = allPrograms,
): string | undefined {
  const absent = needed
    .filter((program) => !programs.has(program))
    .map((program) => [program, packages[program]] as const)
  const parts = [
    ...(isRoot ? [] : ['root']),
    ...absent.map(([program, from]) => `${program} (${from})`),
    // Without root or `ip`, the reason is already listed.
    ...(isRoot && programs.has('ip') && !hasNamespaces ? ['network namespaces (CAP_SYS_ADMIN)'] : []),
  ]
  return parts.length > 0 ? `Missing: ${parts.join(', ')}. Run this again where they are there.` : undefined
}

/** Returns a line that says that the database at MONGODB_URI cannot be reached; undefined if it can, or if MONGODB_URI is not set. */
export async function findMissingDatabase(
  uri: string | undefined,
  { timeoutMs = 5_000 } = {},
): Promise<string | undefined> {
  if (!uri) return undefined
  try {
    const client = await connectClient(uri, { firstConnectionTimeoutMs: timeoutMs })
    await client.close()
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `Missing: the database of MONGODB_URI. Start it, or unset MONGODB_URI for the embedded one, and run this again: ${reason}`
  }
}
