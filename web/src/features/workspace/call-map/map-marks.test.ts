import { expect, test } from 'vitest'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Note } from '#contract/notes.ts'
import type { LineHit } from '../state/line-hits.ts'
import { createDescriber } from '../speakers/describe-speaker.ts'
import { listMarks, marksNear } from './map-marks.ts'

const hit = (time: number): LineHit => ({
  key: `hit@${time}`,
  lineId: '0@0',
  category: 'threats',
  keyword: 'bomb',
  time,
  speaker: 'Speaker A',
  isIn: 'original',
  isSimilar: false,
  original: null,
  translation: null,
})
const note = (time: number, text: string): Note => {
  return {
    id: `note@${time}`,
    time,
    text,
    created_at: '2026-01-02T03:04:05.000Z',
    updated_at: '2026-01-02T03:04:05.000Z',
  }
}

const marks = listMarks({
  hits: [hit(192)],
  reviewedHits: new Set(['hit@192']),
  notes: [note(20, 'who is this'), note(195, '')],
  talkOver: [{ from: 60, to: 63, lane: null }],
  describe: createDescriber(null, noSpeakerCorrections),
})

test('lists hits, notes, bookmarks and talk-over in order of time', () => {
  expect(marks.map(({ clock, label, words, speaker }) => [clock, label, words, speaker])).toEqual([
    ['0:20', 'Note', 'who is this', ''],
    ['1:00 – 1:03', 'Talk-over', '', ''],
    ['3:12', 'Threats', 'bomb', 'Speaker A'],
    ['3:15', 'Bookmark', '', ''],
  ])
  expect(marks[2]).toMatchObject({ isReviewed: true, category: 'threats' })
})

test('finds the hits and notes at the pointer, the nearest first', () => {
  expect(marksNear(marks, 194, 5).map(({ label }) => label)).toEqual(['Bookmark', 'Threats'])
  expect(marksNear(marks, 61, 5)).toEqual([])
})
