import { describe, expect, it } from 'vitest'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { noKeywords } from '#contract/keywords/keywords.ts'
import type { StoredTranslation } from '#contract/entities/recording.ts'
import type { Segment } from '#contract/transcription.ts'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { buildLines } from './build-lines.ts'
import { analysisExport } from '../hits/analysis-export.ts'
import { everyHit, filterHits, toggleCategory } from '../hits/filter-hits.ts'
import { listLineHits } from './line-hits.ts'

const keywords = { ...noKeywords(), threats: ['bomb', 'بم'], intent: ['money'] }

function findHits(segments: Segment[], translations: string[] = []) {
  const transcription = makeTranscript(segments)
  const translation: StoredTranslation | null =
    translations.length === 0
      ? null
      : {
          translated_text: translations.join('\n'),
          original_text: transcription.transcription,
          source_language: 'ps',
          target_language: 'en',
          num_speakers: 2,
          speaker_translations: [],
          segments: segments.map(({ start, end, text }, index) => {
            return { start, end, text, translated_text: translations[index] ?? '', error: null }
          }),
          model: 'test',
          transcription_id: transcription.transcription_id,
        }
  const find = createKeywordMatcher(keywords)
  return listLineHits(
    buildLines({
      segments: segments.map((segment, index) => ({ ...segment, from: [index] })),
      transcription,
      translation,
      find,
      partial: [],
    }),
  )
}

describe('the hits of a recording', () => {
  it('counts a word and its translation once', () => {
    const hits = findHits([makeSegment('دلته بم دی')], ['There is a bomb and money'])
    expect(hits).toMatchObject([
      { keyword: 'بم', category: 'threats', isIn: 'both', speaker: 'Speaker A' },
      { keyword: 'money', category: 'intent', isIn: 'translation' },
    ])
  })

  it('keeps the key of a hit when its translation arrives', () => {
    const segments = [makeSegment('دلته بم دی')]
    expect(findHits(segments, ['There is a bomb'])[0]?.key).toBe(findHits(segments)[0]?.key)
  })

  it('counts what a translation says more often than the original', () => {
    const hits = findHits([makeSegment('بم')], ['bomb, another bomb'])
    expect(hits.map(({ isIn }) => isIn)).toEqual(['both', 'translation'])
  })

  it('gives every hit a key of its own, also in lines that begin together', () => {
    const hits = findHits([makeSegment('bomb bomb'), makeSegment('bomb', { channel: 1, speaker: 'Speaker B' })])
    expect(new Set(hits.map(({ key }) => key)).size).toBe(3)
  })

  it('is in order of time, each at the time of its word', () => {
    const words = ['now', 'the', 'bomb'].map((text, index) => {
      return { text, start: 10 + index, end: 11 + index, confidence: 1 }
    })
    const hits = findHits([
      makeSegment('now the bomb', { start: 10, end: 20, words }),
      makeSegment('money', { start: 11, end: 12, words: [] }),
    ])
    expect(hits.map(({ keyword, time }) => [keyword, time])).toEqual([
      ['money', 11],
      ['bomb', 12],
    ])
  })
})

describe('the filter', () => {
  const hits = findHits([makeSegment('بم', { start: 1 }), makeSegment('money', { start: 3 })], ['bomb', ''])
  const keysOf = (list: typeof hits) => list.map(({ keyword }) => keyword)

  it('limits the hits to a text, to categories, and to those not reviewed', () => {
    const none = new Set<string>()
    expect(keysOf(filterHits(hits, { ...everyHit, texts: 'translation' }, none))).toEqual(['بم'])
    expect(keysOf(filterHits(hits, { ...everyHit, categories: ['intent'] }, none))).toEqual(['money'])
    const reviewed = new Set([hits[0]?.key ?? ''])
    expect(keysOf(filterHits(hits, { ...everyHit, isUnreviewedOnly: true }, reviewed))).toEqual(['money'])
  })

  it('switches a category on and off again', () => {
    expect(toggleCategory(['intent'], 'threats')).toEqual(['threats', 'intent'])
    expect(toggleCategory(['threats', 'intent'], 'threats')).toEqual(['intent'])
  })
})

describe('the export', () => {
  const hits = findHits([makeSegment('بم')], ['bomb and money'])
  const voices = [{ label: 'Speaker A', name: 'Ahmad', talkingSeconds: 12.34 }]
  const options = { keywords, hits, voices, now: new Date(0) }

  it('has time, keywords, counts per text and in total, and those of each speaker', () => {
    expect(analysisExport({ ...options, texts: 'both' })).toMatchObject({
      timestamp: '1970-01-01T00:00:00.000Z',
      keywords,
      stats: {
        transcription: { threats: 1, intent: 0, total: 1 },
        translation: { threats: 1, intent: 1, total: 2 },
        totals: { threats: 1, intent: 1, total: 2 },
      },
      speakers: [{ speaker: 'Speaker A', name: 'Ahmad', talking_seconds: 12.3, keywords: { threats: 1, total: 2 } }],
    })
  })

  it('has the chosen text alone', () => {
    const { stats } = analysisExport({ ...options, texts: 'transcription' })
    expect(stats).toMatchObject({ transcription: { total: 1 }, totals: { total: 1 } })
    expect(stats).not.toHaveProperty('translation')
  })
})
