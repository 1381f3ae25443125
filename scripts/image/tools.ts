import { spawnSync } from 'node:child_process'

/** Exits with the status for a machine that cannot run this test, which continuous integration treats as a skip. */
export function giveUp(command: string, reason: string): never {
  console.error(`${command} cannot work here: ${reason}`)
  process.exit(75) // EX_TEMPFAIL of sysexits.h
}

/** Gives up where a tool, root or namespaces are missing. */
export function requireTools(command: string, tools: readonly string[]): void {
  const missing = tools.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0)
  if (process.getuid?.() !== 0) missing.push('root')
  if (missing.length > 0) {
    giveUp(command, `it needs ${missing.join(', ')} (Debian: apt-get install buildah debootstrap iproute2).`)
  }
  const namespaces = spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', '--kill-child', 'true'])
  if (namespaces.status !== 0) giveUp(command, 'the kernel gives root no namespaces of its own.')
}
