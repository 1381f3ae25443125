import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'

const maxStderrLength = 8_192
/**
 * 256 MiB of data, in KiB as `ulimit` expects: a crafted file can make ffmpeg allocate all memory; a real one needs a quarter of this.
 * Ignored if the system does not support the limit.
 */
const memoryLimit = 'ulimit -d 262144 2>/dev/null'

export interface FfmpegProcess {
  /** Undefined if ffmpeg could not be started. */
  pid: number | undefined
  stdout: Readable
  /** Resolves when the process has exited and its streams are closed; `exit` is, for instance, "code 0". Rejects if it cannot start. */
  ended: Promise<{ exit: string; stderr: string }>
  kill(): void
}

/**
 * Starts ffmpeg, which is killed at once when `stop` aborts. Keeps only the end of stderr, where the fatal error is. ffmpeg gets the open
 * file `outputFd` as its descriptor 3.
 */
export function spawnFfmpeg(path: string, args: string[], stop: AbortSignal, outputFd?: number): FfmpegProcess {
  const command = [`${memoryLimit}; exec "$0" "$@"`, path, ...args]
  const child = spawn('/bin/sh', ['-c', ...command], {
    stdio: ['ignore', 'pipe', 'pipe', outputFd ?? 'ignore'],
  }) as ChildProcessByStdio<null, Readable, Readable> // the types cover only three descriptors
  const kill = () => void child.kill('SIGKILL')
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-maxStderrLength)
  })
  const ended = new Promise<{ exit: string; stderr: string }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ exit: signal ? `signal ${signal}` : `code ${code}`, stderr }))
  }).finally(() => stop.removeEventListener('abort', kill))
  // The caller awaits `ended` only after reading the stream: until then a failed start would be an unhandled rejection.
  ended.catch(() => undefined)
  if (stop.aborted) kill()
  else stop.addEventListener('abort', kill, { once: true })
  return { pid: child.pid, stdout: child.stdout, ended, kill }
}
