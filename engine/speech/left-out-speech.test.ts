import { expect, test } from 'vitest'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { recoverLeftOut } from './left-out-speech.ts'
import type { TranscriptLine } from './transcript-line.ts'

const sentence = 'the signs of the letter give it strength to dance'
// A greeting of 1 s, a pause of 0.5 s, a sentence of 4 s; then a line that shows the speaker's pace: 12 letters a second.
const frames = Float32Array.from({ length: 600 }, (_, frame) => (frame >= 50 && frame < 75 ? 0.001 : 0.1))
const other = toLine({ startMs: 6000, endMs: 10_000 }, 'we would like to see the whole of the picture again today and')

function toLine({ startMs, endMs }: SpeechSpan, text: string, confidence = 0.8): TranscriptLine {
  return { startMs, endMs, text, confidence, words: [] }
}

/** What a model writes for each stretch, by the second in which it begins. */
function decodes(texts: Record<number, string>, confidence?: number) {
  const asked: SpeechSpan[] = []
  const decodeSpan = async (span: SpeechSpan) => {
    asked.push(span)
    const text = texts[span.startMs]
    return text === undefined ? [] : [toLine(span, text, confidence)]
  }
  return { asked, decodeSpan }
}

test('a greeting that the model left out gets a line of its own, and the sentence its true start', async () => {
  const { decodeSpan } = decodes({ 0: 'good morning', 1500: sentence })
  const lines = await recoverLeftOut([toLine({ startMs: 0, endMs: 5500 }, sentence), other], frames, decodeSpan)
  expect(lines).toMatchObject([
    { startMs: 0, endMs: 1000, text: 'good morning' },
    { startMs: 1500, endMs: 5500, text: sentence },
    other,
  ])
})

test('what is hardly sure of itself is not written, and the sentence stands at its own time all the same', async () => {
  const { decodeSpan } = decodes({ 0: 'gosh', 1500: sentence }, 0.3)
  const lines = await recoverLeftOut([toLine({ startMs: 0, endMs: 5500 }, sentence), other], frames, decodeSpan)
  expect(lines).toMatchObject([{ startMs: 1500, text: sentence }, other])
})

test('a line that loses its first words without its first part stays as it is', async () => {
  const line = toLine({ startMs: 0, endMs: 5500 }, 'good morning to the signs of the letter')
  const { asked, decodeSpan } = decodes({ 1500: 'to the signs of the letter' })
  expect(await recoverLeftOut([line, other], frames, decodeSpan)).toEqual([line, other])
  expect(asked).toHaveLength(1)
})

test('a line with as many letters as its sound has room for is not decoded again', async () => {
  const { asked, decodeSpan } = decodes({})
  const line = toLine({ startMs: 0, endMs: 5500 }, `good morning, ${sentence} for ever`)
  expect(await recoverLeftOut([line, other], frames, decodeSpan)).toEqual([line, other])
  expect(asked).toEqual([])
})

test('a line alone in its window is not decoded again: nothing shows how fast its speaker is', async () => {
  const { asked, decodeSpan } = decodes({ 0: 'good morning', 1500: sentence })
  const line = toLine({ startMs: 0, endMs: 5500 }, sentence)
  expect(await recoverLeftOut([line], frames, decodeSpan)).toEqual([line])
  expect(asked).toEqual([])
})
