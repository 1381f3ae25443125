import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { askOnTerminal } from './ask.ts'

function ask(typed: string, { isTTY = true } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  input.end(typed)
  return askOnTerminal('Create one?', { input, output }).then((isYes) => ({
    isYes,
    printed: String(output.read() ?? ''),
  }))
}

test.each([
  ['y\n', true],
  ['Yes\n', true],
  ['n\n', false],
  ['\n', false],
  ['', false],
  ['yeah\n', false],
])('%j is %s', async (typed, isYes) => {
  expect(await ask(typed)).toEqual({ isYes, printed: 'Create one? [y/N] ' })
})

test('without a terminal nobody is asked', async () => {
  expect(await ask('y\n', { isTTY: false })).toEqual({ isYes: false, printed: '' })
})
