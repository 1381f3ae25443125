import { expect, test } from 'vitest'
import { CompactDetails, expandDetails } from '#contract/compact-details.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { noLineEdits } from '#contract/line-edits.ts'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Segment } from '#contract/transcription.ts'
import type { TranslatedSegment } from '#contract/translation.ts'
import { makeLongDialogue, makeLongTranscription, makeLongTranslation } from '#testing/long-call.ts'
import { createTalk } from '#testing/long-call-words.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'
import { compactDetails } from './compact-details.ts'

function makeDetails(overrides: Partial<RecordingDetails> = {}): RecordingDetails {
  return {
    id: '0'.repeat(24),
    name: 'call.wav',
    size: 1,
    duration: 60,
    channels: 2,
    is_stereo: true,
    peaks: [],
    language: 'ps',
    languages: ['ps'],
    transcription_id: null,
    target_languages: [],
    job: null,
    created_at: '2026-01-01T12:00:00.000Z',
    access: 'owner',
    transcription: null,
    translations: [],
    diarization: null,
    line_edits: noLineEdits,
    transcription_request: null,
    version_count: 0,
    speaker_corrections: noSpeakerCorrections,
    speaker_corrections_version: 0,
    ...overrides,
  }
}

/** Returns what a browser makes of what the server sends. */
function sendAndExpand(details: RecordingDetails): RecordingDetails {
  return expandDetails(CompactDetails.parse(JSON.parse(JSON.stringify(compactDetails(details)))))
}

function withoutWords(segments: Segment[]): Segment[] {
  return segments.map((whole) => {
    const { words: _, ...segment } = whole
    return segment
  })
}

const talk = createTalk(7)
const languages: ['ps', 'en'] = ['ps', 'en']
const transcription = makeLongTranscription(talk, { minutes: 5, languages })
const translation = {
  ...makeLongTranslation(talk, { transcription, languages, targetLanguage: 'en' }),
  transcription_id: null,
}
const long = makeDetails({ transcription, translations: [translation], diarization: makeLongDialogue(transcription) })

test('a long call is whole again after the way, but for the last digit of the times of words', () => {
  const expanded = sendAndExpand(long)
  expect(expanded.translations).toEqual(long.translations)
  expect(expanded.diarization).toEqual(long.diarization)
  const { segments = [], speaker_transcriptions: speakers = [], ...rest } = expanded.transcription ?? {}
  const { segments: sent, speaker_transcriptions: sentSpeakers, ...sentRest } = transcription
  expect(rest).toEqual(sentRest)
  expect(withoutWords(segments)).toEqual(withoutWords(sent))
  expect(speakers.map((entry) => ({ ...entry, segments: withoutWords(entry.segments) }))).toEqual(
    sentSpeakers.map((entry) => ({ ...entry, segments: withoutWords(entry.segments) })),
  )
  const words = segments.flatMap((segment) => segment.words ?? [])
  const sentWords = sent.flatMap((segment) => segment.words ?? [])
  expect(words.map(({ text, confidence }) => [text, confidence])).toEqual(
    sentWords.map(({ text, confidence }) => [text, confidence]),
  )
  const errors = words.flatMap((word, index) => [
    Math.abs(word.start - (sentWords[index]?.start ?? -1)),
    Math.abs(word.end - (sentWords[index]?.end ?? -1)),
  ])
  expect(Math.max(...errors)).toBeLessThanOrEqual(0.0051)
})

test('no word leaves its line', () => {
  for (const { start, end, words = [] } of sendAndExpand(long).transcription?.segments ?? []) {
    expect(words[0]?.start).toBeGreaterThanOrEqual(start)
    expect(words.at(-1)?.end).toBeLessThanOrEqual(end)
  }
})

test('nothing is sent twice', () => {
  const { transcription: sent, translations, diarization } = compactDetails(long)
  expect(sent).not.toHaveProperty('transcription')
  expect(sent?.segments[0]).not.toHaveProperty('words')
  expect(sent?.speaker_transcriptions[0]).not.toHaveProperty('segments')
  expect(translations[0]).not.toHaveProperty('original_text')
  expect(Object.keys(translations[0]?.segments[3] ?? {})).toEqual(['translated_text'])
  expect(Object.keys(translations[0]?.speaker_translations[0] ?? {})).toEqual(['speaker', 'error', 'steps'])
  expect(Object.keys(diarization?.dialogue_timeline[3] ?? {})).toEqual(['speaker'])
})

const [first, second] = makeTranscription().segments as [Segment, Segment]
const failed: TranslatedSegment = {
  start: second.start,
  end: second.end,
  text: second.text,
  translated_text: '',
  error: 'no',
  not_translated: { reason: 'loop' },
}
const oddities: [name: string, details: RecordingDetails][] = [
  ['no transcription', makeDetails()],
  ['a transcription without words', makeDetails({ transcription: makeTranscription() })],
  [
    'words with blanks in them, and confidences that are missing',
    makeDetails({
      transcription: makeTranscription({
        segments: [
          { ...first, text: 'New York', words: [{ text: 'New York', start: 0.5, end: 1.23 }] },
          { ...second, text: 'hello', words: [{ text: 'hello', start: 2, end: 3 }] },
        ],
      }),
    }),
  ],
  [
    'words that a list changed',
    makeDetails({
      transcription: makeTranscription({
        segments: [
          {
            ...first,
            text: 'in Qandahar',
            words: [
              { text: 'in', start: 0.5, end: 0.7 },
              { text: 'Qandahar', start: 0.7, end: 1.2, correction: { heard: 'can the heart', written: 'Qandahar' } },
            ],
          },
          second,
        ],
      }),
    }),
  ],
  [
    'texts that are not those of the lines',
    makeDetails({
      transcription: makeTranscription({ transcription: 'another text' }),
      translations: [{ ...makeTranslation({ translated_text: 'another' }), transcription_id: null }],
      diarization: {
        num_speakers: 1,
        dialogue_timeline: [{ speaker: 'Speaker A', timestamp: first.start, text: 'other' }],
      },
    }),
  ],
  [
    'a translation of some lines of the transcription and of a line that it lacks, failures included',
    makeDetails({
      transcription: makeTranscription(),
      translations: [
        {
          ...makeTranslation({
            segments: [{ start: 0, end: 0.2, text: 'gone', translated_text: 'away', error: null }, failed],
            speaker_translations: [
              {
                speaker: 'Speaker B',
                translated_text: '',
                error: 'no',
                segments: [failed],
              },
              { speaker: 'Speaker A', translated_text: 'elsewhere', error: null, segments: [] },
            ],
          }),
          transcription_id: null,
        },
      ],
    }),
  ],
  [
    'a translation without a transcription',
    makeDetails({ translations: [{ ...makeTranslation(), transcription_id: null }] }),
  ],
]

test.each(oddities)('details with %s stay as they are', (_, details) => {
  expect(sendAndExpand(details)).toEqual(details)
})

test('whole details are valid compact ones', () => {
  expect(expandDetails(CompactDetails.parse(long))).toEqual(long)
})
