import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'
import { colourTranscript } from './colour-transcript.ts'

const keywords = { threats: [], sentiment: [], intent: [], custom: [] }

function render(transcription: TranscriptionResult, options: Partial<Parameters<typeof colourTranscript>[0]> = {}) {
  const text = colourTranscript({
    transcription,
    translation: undefined,
    keywords,
    doubt: 'none',
    stream: process.stdout,
    ...options,
  })
  return stripVTControlCharacters(text).split('\n')
}

/** Speaker A, transcribed in Pashto, says one line in English whose first word is uncertain. */
function makeMixed(): TranscriptionResult {
  const { segments, ...rest } = makeTranscription()
  const words = [{ text: 'hello', start: 4, end: 5, confidence: 0.1 }]
  const own = { start: 4, end: 5, text: 'hello', speaker: 'Speaker A', channel: 0, language: 'en', words }
  return { ...rest, segments: [...segments, own] }
}

test('a line has its own language, the others that of their speaker', () => {
  const lines = render(makeMixed()).filter((line) => line.includes('Speaker'))
  expect(lines.map((line) => line.split('  ').slice(0, 3))).toEqual([
    ['00:00', 'Speaker A', 'ps'],
    ['00:02', 'Speaker B', 'en'],
    ['00:04', 'Speaker A', 'en'],
  ])
})

test('a line in the target language is not repeated, with its uncertain words marked or not', () => {
  const transcription = makeMixed()
  const segments = transcription.segments.map(({ start, end, text, language }) => ({
    start,
    end,
    text,
    translated_text: language === 'en' ? text : `${text}, translated`,
    error: null,
  }))
  const translation = makeTranslation({ segments })
  for (const doubt of ['none', 'mark'] as const) {
    const lines = render(transcription, { translation, doubt })
    expect(lines.filter((line) => line.includes('▸')).join()).not.toContain('hello')
  }
  expect(render(transcription, { doubt: 'mark' }).join()).toContain('hello[?]')
})

test('beside a change of language it says how to transcribe each part in its own', () => {
  const warnings = [{ code: 'language_changes', message: 'Speaker A seems to speak English.' }]
  const notes = render(makeTranscription({ warnings })).filter((line) => line.startsWith('Note:'))
  expect(notes).toEqual([
    'Note: Speaker A seems to speak English.',
    'Note: --language multi transcribes each passage in its own language.',
  ])
  expect(render(makeTranscription()).join()).not.toContain('Note:')
})

test('every voice of a mono recording has its name', () => {
  const names = ['Speaker A', 'Speaker B', 'Speaker C']
  const segments = names.map((speaker, index) => ({ start: index, end: index + 1, text: 'hello', speaker }))
  const lines = render({ ...makeTranscription(), segments }).filter((line) => line.includes('Speaker'))
  expect(lines.map((line) => line.split('  ')[1])).toEqual(names)
})
