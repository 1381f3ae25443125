import { expect, test } from 'vitest'
import { createProgress } from './progress.ts'

function fakeStream(isTTY: boolean) {
  const written: string[] = []
  const stream = { isTTY, columns: 120, write: (text: string) => written.push(text) }
  // Only these three members are used.
  return { stream: stream as unknown as NodeJS.WriteStream, written }
}

test('draws a bar with the share done and the time left on a terminal', () => {
  const { stream, written } = fakeStream(true)
  let clock = 0
  const progress = createProgress({ stream, now: () => clock })
  progress.begin('Transcribing')
  clock = 10_000
  progress.update(1, 4, 'send the money')
  expect(written.at(-1)).toContain('██████░░░░░░░░░░░░░░░░░░ 1/4 30 s left send the money')
})

test('writes plain lines without control characters elsewhere, at most one per second', () => {
  const { stream, written } = fakeStream(false)
  let clock = 0
  const progress = createProgress({ stream, now: () => clock })
  progress.begin('Transcribing')
  progress.update(1, 100)
  clock = 500
  progress.update(2, 100)
  clock = 1200
  progress.update(3, 100)
  progress.update(100, 100)
  progress.end()
  expect(written).toEqual([
    'Transcribing...\n',
    'Transcribing 1/100\n',
    'Transcribing 3/100\n',
    'Transcribing 100/100\n',
  ])
})
