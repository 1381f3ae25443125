import { expect, test } from 'vitest'
import type { SpeakerTurn } from '#engine/speakers/speaker-turns.ts'
import type { TranscriptLine } from './transcript-line.ts'
import { assignVoices } from './voice-lines.ts'

/** Returns a line of consecutive words of 400 ms each; `|` is a pause of 500 ms. */
function makeLine(text: string, startMs = 0): TranscriptLine {
  let atMs = startMs
  const words = text.split(' ').flatMap((word) => {
    if (word === '|') {
      atMs += 500
      return []
    }
    atMs += 400
    return [{ text: word, startMs: atMs - 400, endMs: atMs, confidence: 0.8 }]
  })
  return { startMs, endMs: atMs, text: words.map((word) => word.text).join(' '), confidence: 0.8, words }
}

function turn(voice: number, startMs: number, endMs: number): SpeakerTurn {
  return { voice, startMs, endMs }
}

/** Returns the voice and text of each line. */
function assign(line: TranscriptLine, turns: SpeakerTurn[]) {
  return assignVoices([line], turns).map(({ voice, text }) => [voice, text])
}

test('a line belongs to the voice that speaks for most of it', () => {
  expect(assign(makeLine('one two three four five'), [turn(0, 0, 300), turn(1, 300, 2000)])).toEqual([
    [1, 'one two three four five'],
  ])
})

test('a line in which the voice changes is split between two words', () => {
  const line = makeLine('one two three four five six seven eight')
  const lines = assignVoices([line], [turn(0, 0, 1600), turn(1, 1600, 3200)])
  expect(lines).toMatchObject([
    { voice: 0, text: 'one two three four', startMs: 0, endMs: 1600, hasOverlap: false },
    { voice: 1, text: 'five six seven eight', startMs: 1600, endMs: 3200, hasOverlap: false },
  ])
  expect(lines.flatMap(({ words }) => words)).toEqual(line.words)
})

test('a line is split at the end of a sentence near the change', () => {
  const turns = [turn(0, 0, 2000), turn(1, 2000, 4000)]
  expect(assign(makeLine('one two three four. five six seven eight nine ten'), turns)).toEqual([
    [0, 'one two three four.'],
    [1, 'five six seven eight nine ten'],
  ])
  expect(assign(makeLine('یو دوه درې څلور؟ پنځه شپږ اووه اته نهه لس'), turns)).toEqual([
    [0, 'یو دوه درې څلور؟'],
    [1, 'پنځه شپږ اووه اته نهه لس'],
  ])
})

test('a line is split at a pause near the change, for models that write no full stops', () => {
  expect(
    assign(makeLine('one two three | four five six seven eight'), [turn(0, 0, 2200), turn(1, 2200, 4000)]),
  ).toEqual([
    [0, 'one two three'],
    [1, 'four five six seven eight'],
  ])
})

test('a word of another voice inside a sentence stays in it', () => {
  const turns = [turn(0, 0, 1600), turn(1, 1600, 2000), turn(0, 2000, 4000)]
  expect(assign(makeLine('one two three four yes five six seven eight nine'), turns)).toEqual([
    [0, 'one two three four yes five six seven eight nine'],
  ])
})

test('an answer between two sentences is a separate line', () => {
  const turns = [turn(0, 0, 1600), turn(1, 1600, 2400), turn(0, 2400, 4000)]
  expect(assign(makeLine('one two three four? Yes yes. five six seven eight'), turns)).toEqual([
    [0, 'one two three four?'],
    [1, 'Yes yes.'],
    [0, 'five six seven eight'],
  ])
})

test('three voices in one line are three lines', () => {
  const turns = [turn(2, 0, 2000), turn(0, 2000, 4000), turn(1, 4000, 6000)]
  expect(assign(makeLine('a b c d e f g h i j k l m n o'), turns)).toEqual([
    [2, 'a b c d e'],
    [0, 'f g h i j'],
    [1, 'k l m n o'],
  ])
})

test('overlapping speech is marked, consecutive speech is not', () => {
  const line = makeLine('one two three four five')
  expect(assignVoices([line], [turn(0, 0, 2000), turn(1, 1500, 2600)])).toMatchObject([{ voice: 0, hasOverlap: true }])
  expect(assignVoices([line], [turn(0, 0, 1900), turn(1, 1900, 2600)])).toMatchObject([{ voice: 0, hasOverlap: false }])
})

test('a line outside all turns belongs to the nearest voice', () => {
  expect(assign(makeLine('one two', 5000), [turn(0, 0, 1000), turn(1, 7000, 8000)])).toEqual([[1, 'one two']])
  expect(assign(makeLine('one two'), [])).toEqual([[0, 'one two']])
})

test('words without letters do not split a line', () => {
  expect(assign(makeLine('one two three. … …'), [turn(0, 0, 1200), turn(1, 1200, 2000)])).toEqual([
    [0, 'one two three. … …'],
  ])
})
