import { expect, test } from 'vitest'
import { createLogView } from './log-view.ts'

function show(lines: string[], isTerminal: boolean) {
  let text = ''
  const view = createLogView('engine', { isTerminal, write: (part) => (text += part) })
  lines.forEach(view)
  return text
}

const warning = JSON.stringify({ level: 40, msg: 'lease lost', err: { message: 'late' } })

test('passes every line on unchanged without a terminal', () => {
  const lines = [JSON.stringify({ level: 30, msg: 'listening' }), warning, 'not json']
  expect(show(lines, false)).toBe(`${lines.join('\n')}\n`)
})

test('shows a terminal warnings as sentences and leaves out information', () => {
  expect(show([JSON.stringify({ level: 30, msg: 'listening' }), warning], true)).toBe(
    'engine warning: lease lost: late\n',
  )
})

test('shows a terminal what is not a log line, such as a crash', () => {
  expect(show(['SyntaxError: boom'], true)).toBe('engine: SyntaxError: boom\n')
})
