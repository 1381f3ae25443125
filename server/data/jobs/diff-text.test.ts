import { describe, expect, test } from 'vitest'
import { applyChanges, type PartialText } from '#contract/progress-text.ts'
import { diffText } from './diff-text.ts'

function lines(...texts: string[]): PartialText {
  return { lines: texts.map((text, index) => ({ start: index, end: index + 1, text })), text: '' }
}

function whole(text: string): PartialText {
  return { lines: [], text }
}

const line = (text: string) => ({ start: 7, end: 8, text })

describe('lines', () => {
  test('a line that came last is the whole change', () => {
    const before = lines('a', 'b')
    expect(diffText(before, { lines: [...before.lines, line('c')], text: '' })).toEqual([
      { at: 2, removed: 0, lines: [line('c')] },
    ])
  })

  test('a line that came between others is the whole change', () => {
    const before = lines('a', 'b')
    const after = { lines: [...before.lines.slice(0, 1), line('c'), ...before.lines.slice(1)], text: '' }
    expect(diffText(before, after)).toEqual([{ at: 1, removed: 0, lines: [line('c')] }])
  })

  test('a line that changed takes the place of the old one, and one that went leaves', () => {
    const before = lines('a', 'b', 'c')
    const [first, , last] = before.lines
    const changed = { lines: [first, line('x'), last].filter((one) => one !== undefined), text: '' }
    expect(diffText(before, changed)).toEqual([{ at: 1, removed: 1, lines: [line('x')] }])
    const shorter = { lines: before.lines.slice(0, 2), text: '' }
    expect(diffText(before, shorter)).toEqual([{ at: 2, removed: 1, lines: [] }])
  })

  test('many lines come in pieces of at most 100', () => {
    const after = lines(...Array.from({ length: 250 }, (_, index) => `line ${index}`))
    const changes = diffText(lines('old'), after)
    expect(changes.map((change) => 'lines' in change && change.lines.length)).toEqual([100, 100, 50])
    expect(applyChanges(lines('old'), changes)).toEqual(after)
  })

  test('nothing changed is no change', () => {
    expect(diffText(lines('a'), lines('a'))).toEqual([])
  })
})

test.each([
  ['', 'سلام'],
  ['سلام', 'سلام ورور'],
  ['one two three', 'one 2 three'],
  ['removed', ''],
  ['a😀b', 'a😁b'],
  ['😀', '😀😀'],
  ['aa', 'aaa'],
  ['x'.repeat(9_999), `${'x'.repeat(9_999)}${'😀'.repeat(12_000)}`],
])('a text that changed is the same after its changes (%#)', (before, after) => {
  const changes = diffText(whole(before), whole(after))
  expect(applyChanges(whole(before), changes).text).toBe(after)
  for (const change of changes) expect('text' in change && change.text.isWellFormed()).toBe(true)
  for (const change of changes) expect('text' in change && change.text.length).toBeLessThanOrEqual(10_001)
})

test('a text that grew yields only what was added', () => {
  expect(diffText(whole('سلام'), whole('سلام ورور'))).toEqual([{ at: 4, removed: 0, text: ' ورور' }])
})
