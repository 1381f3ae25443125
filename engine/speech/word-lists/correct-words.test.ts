import { describe, expect, test } from 'vitest'
import type { ListedWord } from '#contract/word-lists.ts'
import type { LineWord } from '../transcript-line.ts'
import { correctWords } from './correct-words.ts'
import { indexSpellings } from './listed-spellings.ts'

/** Returns the words of a text, one per second. */
function wordsOf(text: string, confidence: number | null = 0.7): LineWord[] {
  return text.split(' ').map((word, index) => ({
    text: word,
    startMs: index * 1000,
    endMs: index * 1000 + 800,
    confidence,
  }))
}

function listOf(words: (string | [string, ...string[]])[]): ListedWord[] {
  return words.map((entry) => {
    const [word, ...heard] = [entry].flat()
    return { word: word ?? '', heard_as: heard }
  })
}

/** Returns the corrected text. */
function correct(text: string, list: (string | [string, ...string[]])[], confidence: number | null = 0.7): string {
  return correctWords(wordsOf(text, confidence), indexSpellings(listOf(list)))
    .map((word) => word.text)
    .join(' ')
}

describe('what is listed already', () => {
  test.each([
    ['stays in its case', 'he said qandahar', ['Qandahar'], 'he said qandahar'],
    ['stays beside a listed word that sounds alike', 'Hasan and Hassan', ['Hasan', 'Hassan'], 'Hasan and Hassan'],
    [
      'stays although it is another spelling of a listed word',
      'Kandahar',
      [['Qandahar', 'Kandahar'], 'Kandahar'],
      'Kandahar',
    ],
    ['keeps its accents where the model is sure', 'schon wieder', ['Schön'], 'schon wieder'],
    ['is not another word of the same letters', 'على الطريق', ['علي'], 'على الطريق'],
    ['differs from words with other vowel signs', 'मेरा घर', ['मीरा'], 'मेरा घर'],
    ['gets the letters of the listed keyboard', 'قندهار كبير', ['کبیر'], 'قندهار کبیر'],
    ['gets its blanks', 'to Spinboldak now', ['Spin Boldak'], 'to Spin Boldak now'],
    ['loses blanks that it has not', 'to Qanda har now', ['Qandahar'], 'to Qandahar now'],
    ['is not put together from short words', 'to ka bul', ['Kabul'], 'to ka bul'],
  ] as const)('%s', (_, text, list, expected) => {
    expect(correct(text, [...list] as (string | [string, ...string[]])[], 0.99)).toBe(expected)
  })
})

describe('another spelling of a listed word', () => {
  test.each([
    ['is replaced, however sure the model is', 'in Candahar', [['Qandahar', 'Candahar']], 'in Qandahar'],
    ['is replaced where it is short', 'with Kan', [['Khan', 'can', 'kan']], 'with Khan'],
    [
      'of a word that is listed twice is replaced',
      'in Candahar',
      ['Qandahar', ['qandahar', 'Candahar']],
      'in Qandahar',
    ],
    ['of several words is replaced', 'go to can the heart now', [['Qandahar', 'can the heart']], 'go to Qandahar now'],
    ['of several words is replaced where they were joined', 'sultan poor', [['Sultanpur', 'sultanpoor']], 'Sultanpur'],
    ['is not put together across a comma', 'we can, the heart', [['Qandahar', 'can the heart']], 'we can, the heart'],
    ['is not put together from short words', 'an a', [['Anna', 'ana']], 'an a'],
    ['is not replaced inside a word', 'candaharian', [['Qandahar', 'Candahar']], 'candaharian'],
    ['the longer one is replaced first', 'new kabul', [['Kabul Jan', 'new kabul'], 'Kabul'], 'new kabul'],
  ] as const)('%s', (_, text, list, expected) => {
    expect(correct(text, [...list] as unknown as [string, ...string[]][], 0.99)).toBe(expected)
  })
})

describe('what sounds like a listed word', () => {
  test.each([
    ['gets its accents', 'from Lubeck', ['Lübeck'], 'from Lübeck'],
    ['is replaced', 'from Schofer again', ['Schoeffer'], 'from Schoeffer again'],
    ['is replaced in the Arabic script', 'تعلم مع عنطورة', ['عنتورة'], 'تعلم مع عنتورة'],
    ['is replaced where it was split', 'the Schoff er press', ['Schoeffer'], 'the Schoeffer press'],
    ['is replaced by a name of two words', 'to Spinpoldak', ['Spin Boldak'], 'to Spin Boldak'],
    ['stays with up to 3 letters', 'the kan', ['Khan'], 'the kan'],
    ['stays where two listed words are as near', 'to Karin', ['Karim', 'Karen'], 'to Karin'],
    ['stays with an ending', 'the Kabulis', ['Kabul'], 'the Kabulis'],
    ['stays without an ending', 'the German', ['Germany'], 'the German'],
    ['stays with a conjunction written to it', 'وقندهار', ['قندهار'], 'وقندهار'],
    ['stays where it is too far', 'from Kamar', ['Kabul'], 'from Kamar'],
  ])('%s', (_, text, list, expected) => {
    expect(correct(text, list)).toBe(expected)
  })

  test('stays where the model is sure of it', () => {
    expect(correct('from Schofer', ['Schoeffer'], 0.95)).toBe('from Schofer')
  })

  test('is replaced where the engine reports no confidence', () => {
    expect(correct('from Schofer', ['Schoeffer'], null)).toBe('from Schoeffer')
  })

  test('may be further off where the model doubts it', () => {
    expect(correct('in Cabol', ['Kabul'], 0.7)).toBe('in Cabol')
    expect(correct('in Cabol', ['Kabul'], 0.5)).toBe('in Kabul')
  })

  test('gives way to a nearer one that shares a word with it', () => {
    expect(correct('Mola Omer', ['Molla Omar', 'Omar'], 0.7)).toBe('Molla Omar')
  })
})

describe('a replaced word', () => {
  test('keeps punctuation and an English possessive', () => {
    expect(correct('“Candahar,” and Candahar’s', [['Qandahar', 'Candahar']])).toBe('“Qandahar,” and Qandahar’s')
  })

  test('says what was heard, without punctuation', () => {
    const [, word] = correctWords(wordsOf('in Candahar.'), indexSpellings(listOf([['Qandahar', 'Candahar']])))
    expect(word).toEqual({
      text: 'Qandahar.',
      startMs: 1000,
      endMs: 1800,
      confidence: 0.7,
      correction: { heard: 'Candahar', written: 'Qandahar' },
    })
  })

  test('of several has the time of all and their lowest confidence', () => {
    const heard = wordsOf('can the heart')
    const spellings = indexSpellings(listOf([['Qandahar', 'can the heart']]))
    const sure = heard.map((word, index) => ({ ...word, confidence: 0.5 + index / 10 }))
    expect(correctWords(sure, spellings)).toMatchObject([{ startMs: 0, endMs: 2800, confidence: 0.5 }])
    const [, ...unknown] = heard
    expect(
      correctWords([{ text: 'can', startMs: 0, endMs: 800, confidence: null }, ...unknown], spellings),
    ).toMatchObject([{ confidence: null }])
  })

  test('by several shares its time, and the first says what was heard', () => {
    const [first, second] = correctWords(wordsOf('(Spinboldak)'), indexSpellings(listOf(['Spin Boldak'])))
    expect(first).toMatchObject({
      text: '(Spin',
      startMs: 0,
      correction: { heard: 'Spinboldak', written: 'Spin Boldak' },
    })
    expect(second).toMatchObject({ text: 'Boldak)', startMs: first?.endMs, endMs: 800 })
    expect(second).not.toHaveProperty('correction')
  })
})

test('nothing listed or nothing to correct returns the same words', () => {
  const words = wordsOf('a line of words')
  expect(correctWords(words, indexSpellings([]))).toBe(words)
  expect(correctWords(words, indexSpellings(listOf(['Kabul', '…'])))).toBe(words)
})
