import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

const containedScript = join(import.meta.dirname, 'bare.sh')

interface CommandOptions {
  /** Working directory in the root file system; default `/`. */
  folder?: string
  /** Variables besides PATH and HOME. */
  env?: string[]
  /** Where errors go: to the caller's standard error (default), or to the child's `stderr`. */
  stderr?: 'inherit' | 'pipe'
}

/** Starts a command in a root file system, as its root, with the caller's network and its own processes. */
export function spawnInRoot(root: string, command: string[], options: CommandOptions = {}): ChildProcess {
  const { folder = '/', env = [], stderr = 'inherit' } = options
  const variables = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', ...env]
  const contained = [containedScript, root, '/usr/bin/env', '-i', '-C', folder, ...variables, ...command]
  return spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', ...contained], {
    stdio: ['ignore', 'pipe', stderr],
  })
}
