import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

const stderrLimit = 8_192
/**
 * 256 MB of data, in KiB as `ulimit` counts: a crafted file makes ffmpeg take as much as there is, a real one needs a quarter of it.
 * Where the system knows no such limit it is left out.
 */
const limits = 'ulimit -d 262144 2>/dev/null'

export interface FfmpegProcess {
  /** undefined where it could not be started. */
  pid: number | undefined
  stdout: Readable
  /** Settles when the process is gone and its streams are closed. `exit` is "code 0" or the like; rejects where it cannot start. */
  ended: Promise<{ exit: string; stderr: string }>
  kill(): void
}

/** Starts ffmpeg; it is killed at once when `stop` aborts. Only the end of its stderr is kept: there stands the fatal fault. */
export function spawnFfmpeg(path: string, args: string[], stop: AbortSignal): FfmpegProcess {
  const command = [`${limits}; exec "$0" "$@"`, path, ...args]
  const child = spawn('/bin/sh', ['-c', ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => void child.kill('SIGKILL')
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrLimit)
  })
  const ended = new Promise<{ exit: string; stderr: string }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ exit: signal ? `signal ${signal}` : `code ${code}`, stderr }))
  }).finally(() => stop.removeEventListener('abort', kill))
  // The caller awaits `ended` only after the stream: without this a failed start would be an unhandled rejection meanwhile.
  ended.catch(() => undefined)
  if (stop.aborted) kill()
  else stop.addEventListener('abort', kill, { once: true })
  return { pid: child.pid, stdout: child.stdout, ended, kill }
}
