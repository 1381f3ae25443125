import { describe, expect, it } from 'vitest'
import { defaultKeywords, keywordsInUse } from '#contract/keywords/defaults.ts'
import { noKeywords } from '#contract/keywords/keywords.ts'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { analyse, analysisExport, totalCounts } from './analysis.ts'

const keywords = { ...noKeywords(), threats: ['bomb', 'بم'], intent: ['money'] }
const sources = {
  transcription: { text: 'دلته بم دی', language: 'ps' },
  translation: { text: 'There is a bomb and money', language: 'en' },
}

describe('intelligence analysis', () => {
  it('scans both texts, or the chosen one alone', () => {
    expect(analyse(keywords, sources, 'both').map(({ hits }) => hits.length)).toEqual([1, 2])
    expect(analyse(keywords, sources, 'transcription').map(({ name }) => name)).toEqual(['transcription'])
    expect(analyse(keywords, sources, 'translation').map(({ name }) => name)).toEqual(['translation'])
  })

  it('skips a translation that does not exist', () => {
    expect(analyse(keywords, { ...sources, translation: null }, 'both')).toHaveLength(1)
  })

  it('exports time, keywords and counts per text, in total and by speaker', () => {
    const texts = analyse(keywords, sources, 'both')
    expect(totalCounts(texts)).toEqual({ threats: 2, sentiment: 0, intent: 1, custom: 0 })
    const voices = [{ label: 'Speaker A', name: 'Ahmad', talkingSeconds: 12.34 }]
    const transcription = makeTranscript([makeSegment('دلته بم دی')])
    expect(analysisExport({ keywords, texts, voices, transcription, now: new Date(0) })).toMatchObject({
      timestamp: '1970-01-01T00:00:00.000Z',
      keywords,
      stats: { transcription: { total: 1 }, translation: { total: 2 }, totals: { threats: 2, total: 3 } },
      speakers: [{ speaker: 'Speaker A', name: 'Ahmad', talking_seconds: 12.3, keywords: { threats: 1, total: 1 } }],
    })
  })

  it('uses the built-in lists only while all four of the user are empty', () => {
    expect(keywordsInUse(noKeywords())).toBe(defaultKeywords)
    expect(keywordsInUse(keywords)).toBe(keywords)
  })
})
