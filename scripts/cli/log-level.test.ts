import { expect, test } from 'vitest'
import { describeAnswers, run } from './log-level.ts'

const server = { service: 'server' as const, host: 'one', pid: 1, level: 'info' as const, endsAt: null }
const endsAt = new Date('2026-11-26T02:04:05Z')
const engine = { service: 'engine' as const, host: 'two', pid: 2, level: 'debug' as const, endsAt }

test('each process is shown with its level and when that ends, and engines that did not answer', () => {
  expect(describeAnswers([server, engine], [engine, { host: 'three', pid: 2 }])).toBe(
    [
      'SERVICE  HOST   PROCESS  LEVEL           UNTIL',
      'server   one    1        info',
      'engine   two    2        debug           2026-11-26 02:04:05 UTC',
      'engine   three  2        did not answer',
    ].join('\n'),
  )
})

test('no answer at all is said in a sentence', () => {
  expect(describeAnswers([], [])).toMatch(/^No running process answered/)
})

test.each([
  [['loud'], /There is no level "loud"/],
  [['debug', '--for', '8d'], /--for takes a time/],
  [['debug', '--for', '0m'], /--for takes a time/],
  [['debug', '--for', 'ever'], /--for takes a time/],
])('%j is refused before anything is changed', async (args, message) => {
  await expect(run(args)).rejects.toThrow(message)
})
