import { afterEach, expect, it } from 'vitest'
import { makeSegment } from '../../../testing/transcripts.ts'
import { selectedRange } from './selected-range.ts'

const words = ['is', 'the', 'bridge', 'open'].map((text, index) => ({ text, start: 10 + index, end: 10.8 + index }))
const lines = [
  { id: 'a', start: 10, end: 14, segment: { ...makeSegment('is the bridge open'), words } },
  { id: 'b', start: 15, end: 17, segment: { ...makeSegment('it is'), words: [] } },
].map((line) => ({ ...line, segment: { ...line.segment, sources: [] } }) as never) // what the range reads of a line

afterEach(() => {
  document.body.replaceChildren()
  document.getSelection()?.removeAllRanges()
})

function show(html: string) {
  document.body.innerHTML = html
  return [...document.querySelectorAll('[data-line] *')]
}

function select(from: Node, fromOffset: number, to: Node, toOffset: number) {
  const range = document.createRange()
  range.setStart(from, fromOffset)
  range.setEnd(to, toOffset)
  document.getSelection()?.addRange(range)
}

const rows = '<li data-line="a"><p>is the bridge open</p></li><li data-line="b"><p>it is</p></li>'

it('is nothing where nothing is selected', () => {
  show(rows)
  expect(selectedRange(lines)).toBeUndefined()
})

it('is from the first to the last selected word of a line', () => {
  const [text] = show(rows)
  if (text?.firstChild) select(text.firstChild, 3, text.firstChild, 13)
  expect(selectedRange(lines)).toEqual({ start: 11, end: 12.8 })
})

it('is all of the lines that a selection spans', () => {
  const [first, second] = show(rows)
  if (first?.firstChild && second?.firstChild) select(first.firstChild, 7, second.firstChild, 2)
  expect(selectedRange(lines)).toEqual({ start: 10, end: 17 })
})

it('is what is selected in the line that is edited', () => {
  show('<li data-line="a"><textarea>is the bridge open</textarea></li>')
  const field = document.querySelector('textarea')
  field?.focus()
  field?.setSelectionRange(7, 18)
  expect(selectedRange(lines)).toEqual({ start: 12, end: 13.8 })
})

it('is a share of the line where there are no words', () => {
  show('<li data-line="b"><textarea>it is</textarea></li>')
  const field = document.querySelector('textarea')
  field?.focus()
  field?.setSelectionRange(0, 5)
  expect(selectedRange(lines)).toEqual({ start: 15, end: 17 })
})
