import { describe, expect, test } from 'vitest'
import type { ListedWord } from '#contract/word-lists.ts'
import type { LineWord, TranscriptLine } from '../transcript-line.ts'
import type { AttributedWindow } from '../voice-lines.ts'
import { createListedWordCorrector } from './listed-words.ts'

/** Returns a line of words that last one second each. */
function lineOf(text: string, { confidence = 0.7, startMs = 0 } = {}): TranscriptLine {
  const words = text.split(' ').map((word, index): LineWord => {
    const from = startMs + index * 1000
    return { text: word, startMs: from, endMs: from + 900, confidence }
  })
  return { startMs, endMs: words.at(-1)?.endMs ?? 0, text, confidence, words }
}

function prepare(...words: (string | [string, ...string[]])[]) {
  const entries = words.map((entry): ListedWord => {
    const [word = '', ...others] = [entry].flat()
    return { word, heard_as: others }
  })
  return createListedWordCorrector([{ of: 'user', id: '1', revision: 1, words: entries }])
}

function windowOf(lines: TranscriptLine[], promptedWords: AttributedWindow['promptedWords'] = []): AttributedWindow {
  return {
    key: 'one',
    channel: 0,
    index: 0,
    language: 'ar',
    languageProbability: null,
    lines: lines.map((line) => ({ ...line, voice: 0, hasOverlap: false })),
    gaps: [],
    notUnderstood: [],
    impossible: [],
    utterances: [],
    promptedWords,
    engines: [],
  }
}

/** Returns what is heard, and the prompts sent to the model, which returns `again` when asked. */
async function hear(listed: ReturnType<typeof prepare>, first: TranscriptLine, again: string) {
  const prompts: string[][] = []
  const heard = await listed.hear([first], (words) => {
    prompts.push(words)
    return Promise.resolve([lineOf(again)])
  })
  return { heard, prompts }
}

describe('the model is asked again', () => {
  const said = lineOf('the desert asahara again')

  test('with the words that a doubtful passage resembles, the likeliest last', async () => {
    const { prompts, heard } = await hear(
      prepare('Herat', 'Azhara', 'Alsahara', 'Kabul'),
      said,
      'the desert Alsahara again',
    )
    expect(prompts).toEqual([['Azhara', 'Alsahara']])
    expect(heard).toEqual([{ written: 'Alsahara', startMs: 2000, endMs: 2900 }])
  })

  test('not where it is sure of all words', async () => {
    expect((await hear(prepare('Alsahara'), lineOf(said.text, { confidence: 0.96 }), '')).prompts).toEqual([])
  })

  test('not where what is listed was heard, or nothing resembles it', async () => {
    expect((await hear(prepare('Asahara'), said, '')).prompts).toEqual([])
    expect((await hear(prepare('Kunduz'), said, '')).prompts).toEqual([])
    expect((await hear(prepare(), said, '')).prompts).toEqual([])
  })

  test('with at most 20 words', async () => {
    const words = Array.from({ length: 30 }, (_, index) => `asahar${String.fromCharCode(0x430 + index)}`)
    expect((await hear(prepare(...words), said, '')).prompts[0]).toHaveLength(20)
  })
})

describe('a word that was heard with a prompt', () => {
  const prompted = [{ written: 'الصحراء', startMs: 1000, endMs: 1900 }]

  test('is written where it was heard, and all else stays', () => {
    const [line] = prepare('الصحراء').correct(windowOf([lineOf('يا أصحرا! هنا')], prompted)).lines
    expect(line?.text).toBe('يا الصحراء! هنا')
    expect(line?.words[1]?.correction).toEqual({ heard: 'أصحرا', written: 'الصحراء' })
  })

  test.each([
    ['the model was sure without it', lineOf('يا أصحرا هنا', { confidence: 0.96 })],
    ['it resembles nothing there', lineOf('يا كتابنا هنا')],
    ['nothing was said there', lineOf('يا أصحرا هنا', { startMs: 5000 })],
    ['it would cross punctuation', lineOf('يا أص، حرا هنا')],
  ])('is not written where %s', (_, line) => {
    const wide = [{ written: 'الصحراء', startMs: 1000, endMs: 2900 }]
    const corrected = prepare('الصحراء').correct(windowOf([line], line.text.includes('،') ? wide : prompted))
    expect(corrected.lines[0]?.text).toBe(line.text)
  })
})

test('of two lists with the same word the first counts', () => {
  const list = (id: string, word: string) => ({
    of: 'case' as const,
    id,
    revision: 1,
    words: [{ word, heard_as: ['kan'] }],
  })
  const listed = createListedWordCorrector([list('1', 'Khan'), list('2', 'Kahn')])
  expect(listed.correct(windowOf([lineOf('with kan')])).lines[0]?.text).toBe('with Khan')
})

test('a line without a listed word is the same', () => {
  const window = windowOf([lineOf('a line of words')])
  expect(prepare('Kabul').correct(window).lines[0]).toBe(window.lines[0])
  expect(createListedWordCorrector().correct(window)).toBe(window)
})

test('what an earlier attempt heard with a list is used only while the word is listed', () => {
  const said = lineOf('the desert asahara again', { confidence: 0.5 })
  const heard = [{ written: 'Alsahara', startMs: 2000, endMs: 2900 }]
  const textWith = (...words: string[]) => prepare(...words).correct(windowOf([said], heard)).lines[0]?.text
  expect(textWith('Alsahara')).toBe('the desert Alsahara again')
  expect(textWith('Kabul')).toBe('the desert asahara again')
})

test('words of zero length within what was heard with a list belong to it', () => {
  const said = lineOf('the spin bol dak', { confidence: 0.5 })
  const words = said.words.map((word, index) => (index === 2 ? { ...word, endMs: word.startMs } : word))
  const heard = [{ written: 'Spinboldak', startMs: 1000, endMs: 3900 }]
  const { lines } = prepare('Spinboldak').correct(windowOf([{ ...said, words }], heard))
  expect(lines[0]?.text).toBe('the Spinboldak')
})
