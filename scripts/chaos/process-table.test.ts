import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { listProcesses, readMemory, roleOf } from './process-table.ts'

test('roles are read from command lines', () => {
  expect(roleOf(['/x/node', '/srv/awaz/scripts/start.ts'])).toBe('supervisor')
  expect(roleOf(['/x/node', '/srv/awaz/server/main.ts'])).toBe('server')
  expect(
    roleOf(['/x/node', '--disable-warning=ExperimentalWarning', '/srv/awaz/server/embedded-db/main.ts', '--data']),
  ).toBe('database')
  expect(roleOf(['/x/node', '/srv/awaz/engine/main.ts'])).toBe('engine')
  expect(roleOf(['/x/node', '--max-old-space-size=512', '/srv/awaz/engine/probe-main.ts', '/tmp/a'])).toBe('probe')
  expect(roleOf(['/usr/bin/ffmpeg', '-i', '/srv/server/main.ts'])).toBe('ffmpeg')
  expect(roleOf([''])).toBe('other')
})

test('finds processes by what their environment holds, and none that ended', async () => {
  const mark = `chaos-mark-${process.pid}`
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000); console.log("up")'], {
    env: { TMPDIR: `/tmp/${mark}` },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  expect(listProcesses(mark).map(({ pid }) => pid)).toEqual([child.pid])
  expect(readMemory(child.pid ?? 0).residentBytes).toBeGreaterThan(1_000_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(listProcesses(mark)).toEqual([])
})
