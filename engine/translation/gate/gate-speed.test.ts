import { expect, test } from 'vitest'
import { startCpuClock } from '#testing/cpu-clock.ts'
import { checkCompletion } from './check-completion.ts'
import { withoutAddresses } from './words.ts'

const pair = { source: 'ps', target: 'en' } as const

test.each([
  ['dashes and a word', `${'-'.repeat(20_000)}x`],
  ['cells of a table', `${'- | '.repeat(10_000)}x`],
  ['dots', `${'a.'.repeat(20_000)}x`],
  ['signs of addresses', `${'a@'.repeat(20_000)}x`],
  ['hyphens', `${'a-'.repeat(20_000)}x`],
  ['letters without a blank', 'ab'.repeat(20_000)],
  ['blanks', `one${' '.repeat(40_000)}two`],
])('a long completion of %s is checked without delay', (_, completion) => {
  const cpuMs = startCpuClock()
  checkCompletion(completion, { text: 'سلام، زه سبا راځم او تاسو ته به ووایم', pair })
  withoutAddresses(completion)
  expect(cpuMs()).toBeLessThan(10_000)
})

test('addresses, links and file names are removed, and nothing else', () => {
  const text =
    'Write to ali@post.example.af, see https://a.example/b?c and www.b.example or my-song.v2.mp3 at 5.30 @home x@y'
  expect(withoutAddresses(text).replaceAll(/\s+/gu, ' ')).toBe('Write to see and or at 5.30 @home x@y')
})
