import { describe, expect, test } from 'vitest'
import { complaints, id, many, textOf } from '../testing/inputs.ts'
import { editing } from './editing.ts'

const moment = '2026-01-02T03:04:05.000Z'

describe('changed lines', () => {
  const { body } = editing.changeLines
  const line = { start: 0, end: 2, text: 'Hello', speaker: 'Speaker A' }
  const change = { from: [0], lines: [line] }
  const of = (changes: object[]) => ({ transcription_id: id, revision: 0, changes })

  test('have the text in one line, without control characters', () => {
    const pasted = of([{ from: [0], lines: [{ ...line, text: ' He\0llo\r\n\tthere\uD800 ' }] }])
    expect(body.parse(pasted).changes[0]?.lines?.[0]?.text).toBe('He llo there\uFFFD')
  })

  test.each([
    [of([change])],
    [of([{ from: [0], lines: null }])],
    [of(many(1000, change))],
    [of([{ from: many(100, 0), lines: many(100, line) }])],
    [of([{ from: [0], lines: [{ ...line, text: textOf(5000), speaker: textOf(40) }] }])],
  ])('are accepted: %#', (input) => {
    expect(body.parse(input)).toEqual(input)
  })

  test.each([
    [of([]), 'Changes is too short'],
    [of(many(1001, change)), 'Changes is too long'],
    [of([{ ...change, from: [] }]), 'From is too short'],
    [of([{ ...change, from: many(101, 0) }]), 'From is too long'],
    [of([{ ...change, from: [-1] }]), 'From is too small'],
    [of([{ ...change, lines: [] }]), 'Lines is too short'],
    [of([{ ...change, lines: many(101, line) }]), 'Lines is too long'],
    [of([{ ...change, lines: [{ ...line, text: '\n' }] }]), 'A line must not be empty'],
    [of([{ ...change, lines: [{ ...line, text: textOf(5001) }] }]), 'A line has at most 5000 characters'],
    [of([{ ...change, lines: [{ ...line, speaker: textOf(41) }] }]), 'Speaker is too long'],
    [of([{ ...change, lines: [{ ...line, speaker: '' }] }]), 'Speaker is too short'],
    [of([{ ...change, lines: [{ ...line, start: -1 }] }]), 'Start is too small'],
    [{ ...of([change]), revision: -1 }, 'Revision is too small'],
    [{ ...of([change]), transcription_id: '1' }, 'Not a valid id'],
  ])('are refused: %#', (input, sentence) => {
    expect(complaints(body, input)).toEqual([sentence])
  })

  test('come back as all edits with their revision', () => {
    const edits = { revision: 2, edits: [{ ...change, revision: 2 }] }
    expect(editing.changeLines.response.parse(edits)).toEqual(edits)
  })
})

describe('a note', () => {
  const { addNote, changeNote } = editing

  test('is a bookmark without a text; a text is trimmed', () => {
    expect(addNote.body.parse({ time: 0 })).toEqual({ time: 0, text: '' })
    expect(addNote.body.parse({ time: 1_000_000, text: ' one\r\ntwo\rthree\tfour ' })).toEqual({
      time: 1_000_000,
      text: 'one\ntwo\nthree four',
    })
    expect(complaints(addNote.body, { time: 0, text: textOf(2000) })).toEqual([])
  })

  test.each([
    [{ time: -1 }, 'Time is too small'],
    [{ time: 1_000_001 }, 'Time is too large'],
    [{ time: 1, text: textOf(2001) }, 'A note has at most 2000 characters'],
    [{ time: 1, text: 'a\0b' }, 'A note has no control characters except line breaks'],
  ])('%o is refused', (body, sentence) => {
    expect(complaints(addNote.body, body)).toEqual([sentence])
    expect(complaints(changeNote.body, body)).toEqual([sentence])
  })

  test('changes in what is sent', () => {
    expect(changeNote.body.parse({})).toEqual({})
    expect(changeNote.body.parse({ text: '' })).toEqual({ text: '' })
  })

  test('is listed with its times', () => {
    const notes = [{ id, time: 1, text: '', created_at: moment, updated_at: moment }]
    expect(editing.listNotes.response.parse({ notes })).toEqual({ notes })
    expect(addNote.response.parse(notes[0])).toEqual(notes[0])
  })
})

describe('reviewed hits', () => {
  const { body, response } = editing.reviewHit

  test.each([
    [{ hits: [textOf(200)], is_reviewed: true }, []],
    [{ hits: many(1000, 'a'), is_reviewed: false }, []],
    [{ hits: [], is_reviewed: true }, ['Hits is too short']],
    [{ hits: many(1001, 'a'), is_reviewed: true }, ['Hits is too long']],
    [{ hits: [''], is_reviewed: true }, ['Hits is too short']],
    [{ hits: [textOf(201)], is_reviewed: true }, ['Hits is too long']],
    [{ hits: ['a'] }, ['Is reviewed is required']],
  ])('%#', (input, sentences) => {
    expect(complaints(body, input)).toEqual(sentences)
  })

  test('are returned by their keys', () => {
    expect(response.parse({ reviewed: ['a'] })).toEqual({ reviewed: ['a'] })
    expect(editing.listReviewedHits.response.parse({ reviewed: ['a'] })).toEqual({ reviewed: ['a'] })
  })
})

test('restoring a version returns the whole recording unless asked for the compact form', () => {
  expect(editing.restoreVersion.query.parse({})).toEqual({ compact: false })
  expect(editing.restoreVersion.query.parse({ compact: 'true' })).toEqual({ compact: true })
})
