import { expect, test } from 'vitest'
import { version } from '#data/version.ts'
import { createCommandRunner } from './command.ts'

const run = createCommandRunner(process.env)
const options = { signal: new AbortController().signal, timeoutMs: 60_000 }

test('a command returns its output, its status and what it says', async () => {
  const [printed, refused] = await Promise.all([run(['--version'], options), run(['no-such-command'], options)])
  expect(printed).toEqual({ status: 0, stdout: `${version}\n`, messages: '' })
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.messages).toMatch(/^There is no command "no-such-command"\./)
})

test('a signal and the time-out end a command', async () => {
  const abort = new AbortController()
  const aborted = run(['--version'], { ...options, signal: abort.signal })
  abort.abort(new Error('Enough'))
  await expect(aborted).rejects.toThrow('Enough')
  await expect(run(['--version'], { ...options, timeoutMs: 1 })).rejects.toThrow('The command took too long')
})
