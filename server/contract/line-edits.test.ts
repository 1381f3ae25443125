import { describe, expect, test } from 'vitest'
import { changeLine, joinSegments, revertLine, splitLine } from './line-changes.ts'
import { applyLineEdits, editableSegments } from './line-edits.ts'
import { a, b, call, edited, line, withoutWords } from './testing/edited-call.ts'

const four = line(10, 'one two three four')
const other = line(13, 'hello there', { speaker: b, channel: 1 })
const five = line(15, 'five six')
const three = call([four, other, five])

describe('an edited transcript', () => {
  test('is the engine’s where nothing was edited, or everything was returned to it', () => {
    expect(applyLineEdits(three, edited())).toBe(three)
    expect(applyLineEdits(three, edited({ from: [0], lines: null }))).toBe(three)
  })

  test('has the confidence of a line whose words nobody changed', () => {
    const [same, changed] = ['one two three four', 'one two three'].map((text) => {
      return editableSegments(three, edited({ from: [0], lines: [{ start: 10, end: 11.5, text }] }))[0]?.confidence
    })
    expect(same).toBe(0.5)
    expect(changed).toBeUndefined()
  })

  test('counts lines by speaker, and gives a line to another one in the language in which it was spoken', () => {
    const after = applyLineEdits(
      three,
      edited({ from: [1], lines: [{ start: 13, end: 14, text: 'hello there', speaker: a }] }),
    )
    expect(after.segments[1]).toMatchObject({ speaker: a, channel: 1, language: 'en' })
    expect(after.speaker_transcriptions.map(({ segment_count }) => segment_count)).toEqual([3, 0])
    expect(after.num_speakers).toBe(1)
    expect(after.transcription).toBe('one two three four hello there five six')
    const back = applyLineEdits(after, edited())
    expect(back).toBe(after)
  })

  test('keeps the order of time, and lines that begin together as the engine wrote them', () => {
    const together = call([line(1, 'first'), line(1, 'second', { speaker: b, channel: 1 })])
    const after = applyLineEdits(together, edited({ from: [0], lines: [{ start: 1, end: 1.5, text: 'changed' }] }))
    expect(after.segments.map(({ text }) => text)).toEqual(['changed', 'second'])
  })

  test('ignores edits of lines that it lacks', () => {
    expect(applyLineEdits(three, edited({ from: [2, 3], lines: [{ start: 0, end: 1, text: 'x' }] })).segments).toEqual(
      three.segments,
    )
  })

  test('shows moved lines with the speaker that a change starts from', () => {
    const lines = editableSegments(three, edited(), [{ start: 13, end: 14, speaker: a }])
    expect(lines.map(({ speaker }) => speaker)).toEqual([a, a, a])
  })
})

describe('splitting a line', () => {
  const lines = editableSegments(three, edited())
  const [first] = lines
  const split = (offset: number) => (first ? splitLine(lines, first, offset) : undefined)

  test('cuts between the words beside the caret', () => {
    for (const offset of [7, 8]) {
      expect(split(offset)).toEqual({
        from: [0],
        lines: [
          { start: 10, end: 10.95, text: 'one two', speaker: a },
          { start: 10.95, end: 12, text: 'three four', speaker: a },
        ],
      })
    }
  })

  test('cuts within a word by its share', () => {
    expect(split(2)?.lines?.map(({ text, start }) => [text, start])).toEqual([
      ['on', 10],
      ['e two three four', 10.267],
    ])
  })

  test('cuts by the share of the text where there are no words', () => {
    const bare = editableSegments(call([withoutWords(four)]), edited())
    expect(bare[0] && splitLine(bare, bare[0], 9)?.lines?.[1]).toMatchObject({ start: 11, text: 'hree four' })
  })

  test.each([0, 18, 100, -1])('does nothing at an edge (%i)', (offset) => {
    expect(split(offset)).toBeNull()
  })

  test('does nothing beside blanks at an edge, or in a line without duration', () => {
    const blank = editableSegments(
      call([
        { start: 1, end: 2, text: ' one ' },
        { start: 3, end: 3, text: 'a b' },
      ]),
      edited(),
    )
    expect(blank[0] && splitLine(blank, blank[0], 1)).toBeNull()
    expect(blank[0] && splitLine(blank, blank[0], 4)).toBeNull()
    expect(blank[1] && splitLine(blank, blank[1], 1)).toBeNull()
  })

  test('keeps right-to-left text in its logical order, and marks with their letters', () => {
    const text = 'سَلَام زما ملګریه'
    const arabic = editableSegments(call([line(0, text)]), edited())
    const [only] = arabic
    expect(only && splitLine(arabic, only, text.indexOf(' '))?.lines?.map((part) => part.text)).toEqual([
      'سَلَام',
      'زما ملګریه',
    ])
    // Between the letter and its vowel sign.
    expect(only && splitLine(arabic, only, 3)?.lines?.map((part) => part.text)).toEqual(['سَ', 'لَام زما ملګریه'])
    expect(only && splitLine(arabic, only, 1)).toBeNull()
  })

  test('keeps the other lines of the same edit', () => {
    const twice = edited({ from: [0], lines: split(8)?.lines ?? null })
    const parts = editableSegments(three, twice)
    expect(parts[0] && splitLine(parts, parts[0], 3)?.lines?.map(({ text }) => text)).toEqual([
      'one',
      'two',
      'three four',
    ])
    expect(parts[1] && splitLine(parts, parts[1], 5)?.lines?.map(({ text }) => text)).toEqual([
      'one two',
      'three',
      'four',
    ])
  })

  test('of joined lines gives the parts their own languages and channels', () => {
    const joined = { from: [0, 1], lines: [{ start: 10, end: 14, text: 'one two three four hello there', speaker: a }] }
    const whole = editableSegments(three, edited(joined))
    const change = whole[0] && splitLine(whole, whole[0], 19)
    expect(change).toMatchObject({ from: [0, 1], lines: [{ end: 12.45 }, { text: 'hello there', start: 12.45 }] })
    const parts = editableSegments(three, edited({ from: [0, 1], lines: change?.lines ?? null }))
    expect(parts.map(({ channel, language, speaker }) => [channel, language, speaker])).toEqual([
      [0, undefined, a],
      [1, 'en', a],
      [0, undefined, a],
    ])
  })
})

describe('joining lines', () => {
  test('takes the text and the time of all, and the speaker of the first', () => {
    const lines = editableSegments(three, edited())
    expect(
      joinSegments(
        lines,
        [lines[2], lines[0]].filter((one) => one !== undefined),
      ),
    ).toEqual({
      from: [0, 2],
      lines: [{ start: 10, end: 16, text: 'one two three four five six', speaker: a }],
    })
    const after = editableSegments(
      three,
      edited({ from: [0, 2], lines: [{ start: 10, end: 16, text: 'one two three four five six', speaker: a }] }),
    )
    expect(after.map(({ text, confidence }) => [text, confidence])).toEqual([
      ['one two three four five six', 0.5],
      ['hello there', 0.5],
    ])
    expect(after[0]?.words?.map(({ start }) => start)).toEqual([10, 10.5, 11, 11.5, 15, 15.5])
  })

  test('of a part of a split line keeps the other part', () => {
    const halves = [
      { start: 10, end: 11, text: 'one two', speaker: a },
      { start: 11, end: 12, text: 'three four', speaker: a },
    ]
    const lines = editableSegments(three, edited({ from: [0], lines: halves }))
    expect(
      joinSegments(
        lines,
        lines.filter(({ text }) => ['three four', 'five six'].includes(text)),
      ),
    ).toEqual({
      from: [0, 2],
      lines: [halves[0], { start: 11, end: 16, text: 'three four five six', speaker: a }],
    })
  })

  test('is refused for one line, and for more than a line may hold', () => {
    const long = editableSegments(call([line(0, 'x'.repeat(4_999)), line(1, 'yy')]), edited())
    expect(joinSegments(long, long)).toBeNull()
    expect(joinSegments(long, long.slice(0, 1))).toBeNull()
  })
})

describe('changing a line', () => {
  test('names what the engine wrote of it, and keeps the rest', () => {
    const lines = editableSegments(three, edited())
    expect(lines[1] && changeLine(lines, lines[1], { text: 'good day' })).toEqual({
      from: [1],
      lines: [{ start: 13, end: 14, text: 'good day', speaker: b }],
    })
    expect(lines[1] && changeLine(lines, lines[1], { speaker: a })?.lines?.[0]).toMatchObject({ speaker: a })
  })

  test('can be taken back to what the engine wrote', () => {
    const joined = edited({ from: [0, 2], lines: [{ start: 10, end: 16, text: 'all', speaker: a }] })
    const [whole] = editableSegments(three, joined)
    const back = whole && revertLine(whole)
    expect(back).toEqual({ from: [0, 2], lines: null })
    expect(editableSegments(three, edited(...(back ? [back] : [])))).toEqual(editableSegments(three, edited()))
  })
})
