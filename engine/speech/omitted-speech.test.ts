import { expect, test } from 'vitest'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { recoverOmittedSpeech } from './omitted-speech.ts'
import type { TranscriptLine } from './transcript-line.ts'

const sentence = 'the signs of the letter give it strength to dance'
// A greeting of 1 s, a pause of 0.5 s, a sentence of 4 s; then a line that gives the speaking rate: 12 letters per second.
const frames = Float32Array.from({ length: 600 }, (_, frame) => (frame >= 50 && frame < 75 ? 0.001 : 0.1))
const other = toLine({ startMs: 6000, endMs: 10_000 }, 'we would like to see the whole of the picture again today and')

function toLine({ startMs, endMs }: SpeechSpan, text: string, confidence = 0.8): TranscriptLine {
  return { startMs, endMs, text, confidence, words: [] }
}

/** Stands in for a model that returns these texts for spans, keyed by the span's start in milliseconds. */
function decoderOf(texts: Record<number, string>, confidence?: number) {
  const decodedSpans: SpeechSpan[] = []
  const decodeSpan = async (span: SpeechSpan) => {
    decodedSpans.push(span)
    const text = texts[span.startMs]
    return text === undefined ? [] : [toLine(span, text, confidence)]
  }
  return { decodedSpans, decodeSpan }
}

test('an omitted greeting becomes its own line, and the sentence gets its correct start', async () => {
  const { decodeSpan } = decoderOf({ 0: 'good morning', 1500: sentence })
  const lines = await recoverOmittedSpeech([toLine({ startMs: 0, endMs: 5500 }, sentence), other], frames, decodeSpan)
  expect(lines).toMatchObject([
    { startMs: 0, endMs: 1000, text: 'good morning' },
    { startMs: 1500, endMs: 5500, text: sentence },
    other,
  ])
})

test('an utterance of low confidence is dropped, but the sentence still gets its correct start', async () => {
  const { decodeSpan } = decoderOf({ 0: 'gosh', 1500: sentence }, 0.3)
  const lines = await recoverOmittedSpeech([toLine({ startMs: 0, endMs: 5500 }, sentence), other], frames, decodeSpan)
  expect(lines).toMatchObject([{ startMs: 1500, text: sentence }, other])
})

test('a line whose first words are in its first part is not changed', async () => {
  const line = toLine({ startMs: 0, endMs: 5500 }, 'good morning to the signs of the letter')
  const { decodedSpans, decodeSpan } = decoderOf({ 1500: 'to the signs of the letter' })
  expect(await recoverOmittedSpeech([line, other], frames, decodeSpan)).toEqual([line, other])
  expect(decodedSpans).toHaveLength(1)
})

test('a line with enough letters for its audio is not decoded again', async () => {
  const { decodedSpans, decodeSpan } = decoderOf({})
  const line = toLine({ startMs: 0, endMs: 5500 }, `good morning, ${sentence} for ever`)
  expect(await recoverOmittedSpeech([line, other], frames, decodeSpan)).toEqual([line, other])
  expect(decodedSpans).toEqual([])
})

test('the only line of a window is not decoded again, because the speaking rate is unknown', async () => {
  const { decodedSpans, decodeSpan } = decoderOf({ 0: 'good morning', 1500: sentence })
  const line = toLine({ startMs: 0, endMs: 5500 }, sentence)
  expect(await recoverOmittedSpeech([line], frames, decodeSpan)).toEqual([line])
  expect(decodedSpans).toEqual([])
})
