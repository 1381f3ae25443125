import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { startNativeChild } from './native-child.ts'
import type { NativeChild, NativeChildOptions } from './native-child.ts'
import type { TrialMethods } from './testing/trial-child.ts'

const started: NativeChild<TrialMethods>[] = []

function startTrial(options: Partial<NativeChildOptions<TrialMethods>> = {}): NativeChild<TrialMethods> {
  const script = join(import.meta.dirname, 'testing', 'trial-child.ts')
  const child = startNativeChild<TrialMethods>({ name: 'The trial', script, ...options })
  started.push(child)
  return child
}

/** A zombie does not count as alive. */
function isAlive(pid: number | undefined): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => child.close()))
})

test('transfers typed arrays in both directions', async () => {
  const result = await startTrial().call('double', new Float32Array([0.5, -1]))
  expect(result).toEqual(new Float32Array([1, -2]))
})

test('has the young generation that was asked for', async () => {
  const bytes = 32 * 2 ** 20
  expect(await startTrial({ youngMiB: 32 }).call('youngBytes', undefined)).toBeGreaterThanOrEqual(bytes)
  expect(await startTrial().call('youngBytes', undefined)).toBeLessThan(bytes)
})

test('delivers events in order before the result', async () => {
  const events: unknown[] = []
  const result = await startTrial().call('count', 3, { onEvent: (event) => events.push(event) })
  expect(events).toEqual([1, 2, 3])
  expect(result).toBe(3)
})

test('a method that throws fails its call and leaves the process running', async () => {
  const child = startTrial()
  await expect(child.call('fail', 'no such thing')).rejects.toMatchObject({
    name: 'ChildMethodError',
    message: 'no such thing',
  })
  const pid = child.pid()
  await child.call('count', 1)
  expect(child.pid()).toBe(pid)
})

test('a crash rejects with the last output, and the next call starts a new process', async () => {
  const child = startTrial()
  await expect(child.call('crash', 'ggml: bad tensor')).rejects.toMatchObject({
    name: 'ChildDied',
    message: 'The trial stopped unexpectedly (SIGSEGV).',
    signal: 'SIGSEGV',
    stderrTail: expect.stringContaining('ggml: bad tensor'),
  })
  expect(await child.call('count', 2)).toBe(2)
})

test('an abort kills the process and rejects as cancelled', async () => {
  const child = startTrial()
  await child.call('count', 1)
  const pid = child.pid()
  const controller = new AbortController()
  const call = child.call('hang', undefined, { signal: controller.signal, onEvent: () => controller.abort() })
  await expect(call).rejects.toMatchObject({ code: 'job_cancelled' })
  expect(isAlive(pid)).toBe(false)
})

test('an abort of a waiting call does not affect the running one', async () => {
  const child = startTrial()
  const controller = new AbortController()
  const first = child.call('work', 300)
  const second = child.call('count', 1, { signal: controller.signal })
  controller.abort()
  await expect(second).rejects.toMatchObject({ code: 'job_cancelled' })
  await expect(first).resolves.toBeUndefined()
})

test('a call over its time limit is stopped', async () => {
  const child = startTrial()
  await expect(child.call('work', 60_000, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'internal' })
  expect(child.pid()).toBeUndefined()
})

test('a child without messages or CPU usage is stopped after the stall timeout', async () => {
  const child = startTrial({ stallTimeoutMs: 1500 })
  const call = child.call('hang', undefined)
  await expect(call).rejects.toThrow('The trial made no progress for 2 seconds and was stopped.')
})

test('a child that computes for longer than the stall timeout is not stopped', async () => {
  const child = startTrial({ stallTimeoutMs: 2200 })
  await expect(child.call('work', 3000)).resolves.toBeUndefined()
  expect(child.cpuMs()).toBeGreaterThan(500)
})

test('prepares every new process before its first call', async () => {
  const prepare = vi.fn<NonNullable<NativeChildOptions<TrialMethods>['prepare']>>(async (call) => {
    await call('count', 1)
  })
  const child = startTrial({ prepare })
  await child.call('count', 1)
  await child.call('count', 1)
  expect(prepare).toHaveBeenCalledTimes(1)
  await child.recycle()
  await child.call('count', 1)
  expect(prepare).toHaveBeenCalledTimes(2)
})

test('does not pass the parent’s environment to the child', async () => {
  vi.stubEnv('TRIAL_SECRET', 'x')
  const child = startTrial({ env: { TRIAL_OPTION: 'y' } })
  expect(await child.call('env', 'TRIAL_SECRET')).toBeUndefined()
  expect(await child.call('env', 'TRIAL_OPTION')).toBe('y')
  vi.unstubAllEnvs()
})

test('close leaves no process running and rejects later calls', async () => {
  const child = startTrial()
  await child.call('count', 1)
  const pid = child.pid()
  await child.close()
  expect(isAlive(pid)).toBe(false)
  await expect(child.call('count', 1)).rejects.toMatchObject({ code: 'internal' })
})

test('a child does not outlive a parent that was killed', async () => {
  const parent = spawn(process.execPath, [join(import.meta.dirname, 'testing', 'trial-parent.ts')])
  const [line] = await once(parent.stdout, 'data')
  const pid = Number(String(line))
  expect(isAlive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
})
