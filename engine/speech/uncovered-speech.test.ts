import { expect, test } from 'vitest'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import type { TranscriptLine } from './transcript-line.ts'
import { findUncovered, isImpossibleLine, transcribeUncovered } from './uncovered-speech.ts'

/** Two passages of speech, from 10 to 16 s and from 20 to 24 s of the recording. */
const window: SpeechWindow = {
  durationMs: 10_750,
  pieces: [
    {
      sourceStartMs: 9700,
      sourceEndMs: 16_300,
      speechStartMs: 10_000,
      speechEndMs: 16_000,
      windowStartMs: 0,
      beginsTurn: true,
    },
    {
      sourceStartMs: 19_700,
      sourceEndMs: 24_300,
      speechStartMs: 20_000,
      speechEndMs: 24_000,
      windowStartMs: 6750,
      beginsTurn: true,
    },
  ],
}

function toLine(startMs: number, endMs: number, text: string, confidence = 0.8): TranscriptLine {
  return { startMs, endMs, text, confidence, words: [] }
}

const second = toLine(20_000, 24_000, 'and they followed them very closely')

/** Stands in for a model that returns these texts for spans in turn, repeating the last one; records what it is asked. */
function decoderOf(texts: string | string[], confidence?: number) {
  const spans: SpeechSpan[] = []
  const bounds: SpeechSpan[] = []
  const list = [texts].flat()
  const decodeSpan = async (span: SpeechSpan, within: SpeechSpan) => {
    const text = list[Math.min(spans.length, list.length - 1)] ?? ''
    spans.push(span)
    bounds.push(within)
    return text === '' ? [] : [toLine(span.startMs, span.endMs, text, confidence)]
  }
  return { spans, bounds, decodeSpan }
}

function complete(lines: TranscriptLine[], { decodeSpan }: ReturnType<typeof decoderOf>, gaps: SpeechSpan[] = []) {
  return transcribeUncovered(lines, { window, gaps, decodeSpan })
}

test('speech of more than 0.7 s outside all lines is uncovered', () => {
  expect(findUncovered(window, [toLine(10_000, 12_500, 'one'), toLine(13_200, 14_000, 'two'), second])).toEqual([
    { startMs: 14_000, endMs: 16_000 },
  ])
  expect(findUncovered(window, [toLine(10_000, 12_500, 'one'), toLine(13_250, 16_000, 'two'), second])).toEqual([
    { startMs: 12_500, endMs: 13_250 },
  ])
  expect(findUncovered(window, [toLine(9000, 30_000, 'all')])).toEqual([])
  expect(findUncovered(window, [])).toEqual([
    { startMs: 10_000, endMs: 16_000 },
    { startMs: 20_000, endMs: 24_000 },
  ])
})

test.each([
  [0, 'And they followed them very closely.', true],
  [500, 'And they followed them very closely.', true],
  [1200, 'And they followed them very closely.', false],
  [0, 'That', true],
  [200, 'That', false],
])('in %i ms nobody can say "%s": %s', (lengthMs, text, expected) => {
  expect(isImpossibleLine(toLine(235_820, 235_820 + lengthMs, text))).toBe(expected)
})

test.each([
  [50, true],
  [75, false],
])('a word of %i ms in a rest of bleed is none: %s', (wordMs, expected) => {
  const line = toLine(192_000, 192_560, 'It')
  expect(
    isImpossibleLine({
      ...line,
      words: [{ text: 'It', startMs: line.endMs - wordMs, endMs: line.endMs, confidence: 0.23 }],
    }),
  ).toBe(expected)
})

test('speech that the model left out is transcribed on its own, and its lines stand in their place', async () => {
  const decoder = decoderOf('has never been surpassed')
  const first = toLine(10_000, 13_000, 'the earliest book printed')
  expect(await complete([first, second], decoder)).toEqual([
    first,
    toLine(13_000, 16_000, 'has never been surpassed'),
    second,
  ])
  expect(decoder.spans).toEqual([{ startMs: 13_000, endMs: 16_000 }])
})

test('a passage with the words of the line after or before it belongs to that line', async () => {
  const late = toLine(12_000, 16_000, 'the earliest book printed with movable types')
  expect(await complete([late, second], decoderOf('the early book'))).toEqual([{ ...late, startMs: 10_000 }, second])
  const early = toLine(10_000, 14_000, 'the earliest book printed with movable types')
  expect(await complete([early, second], decoderOf('movable type'))).toEqual([{ ...early, endMs: 16_000 }, second])
})

test.each([
  ['no words', '', 0.8],
  ['words of low confidence', 'thank you', 0.3],
  ['more words than its time allows', 'has never been surpassed '.repeat(10), 0.8],
])('a passage in which the model finds %s stays without text', async (_, text, confidence) => {
  const first = toLine(10_000, 13_000, 'the earliest book printed')
  const lines = await complete([first, second], decoderOf(text, confidence))
  expect(lines).toEqual([first, second])
})

test.each([
  ['No.', 'Now I think so'],
  ['OK', 'OK, I see'],
  ['نه', 'نهایت'],
])('a short answer "%s" before "%s" is a line of its own', async (answer, next) => {
  const after = toLine(12_000, 16_000, next)
  expect(await complete([after, second], decoderOf(answer))).toMatchObject([{ text: answer }, after, second])
})

test('a passage is compared with the lines next to it, also where one was just added', async () => {
  const line = toLine(11_500, 14_000, 'and so I said see you tomorrow morning')
  const completed = await complete([line, second], decoderOf(['hello sir and madam', 'see you tomorrow morning']))
  expect(completed).toEqual([toLine(10_000, 11_500, 'hello sir and madam'), { ...line, endMs: 16_000 }, second])
})

test('a passage is transcribed without the words of its neighbours, and without sound outside the window', async () => {
  const decoder = decoderOf('bye')
  await complete([toLine(10_000, 13_000, 'see you tomorrow'), second], decoder)
  await complete([toLine(12_000, 16_000, 'see you tomorrow'), second], decoder)
  expect(decoder.bounds).toEqual([
    { startMs: 13_000, endMs: 16_300 },
    { startMs: 9700, endMs: 12_000 },
  ])
})

test('a passage in which the decoder only looped is not transcribed once more', async () => {
  const decoder = decoderOf('bye bye')
  expect(await complete([second], decoder, [{ startMs: 10_000, endMs: 16_000 }])).toEqual([second])
  expect(decoder.spans).toEqual([])
})
