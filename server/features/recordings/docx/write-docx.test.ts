import { expect, test } from 'vitest'
import type { ReportRow, TranscriptReport } from '#contract/formats/report.ts'
import { readZip } from '#testing/read-zip.ts'
import { writeDocx } from './write-docx.ts'

const report: TranscriptReport = {
  title: 'call.wav',
  templateTexts: { heading: null, hasName: false, introduction: [], closing: [] },
  facts: [],
  cautions: [],
  languages: [],
  targetLanguage: null,
  categories: [],
  hasUncertainWords: false,
  hasEditedLines: false,
  rows: [],
  wholeTranslation: [],
  notes: [],
}

function rowOf(text: string, language: string): ReportRow {
  return {
    startMs: 0,
    speaker: null,
    voice: null,
    isGap: false,
    isEdited: false,
    original: { pieces: [{ text }], language, direction: 'rtl' },
    translation: null,
    isTranslationStale: false,
    translationError: null,
  }
}

/** Returns the XML of the document's text and its paragraphs as a reader sees them. */
async function write(overrides: Partial<TranscriptReport>) {
  const file = Buffer.from(await writeDocx({ ...report, ...overrides }))
  const xml = readZip(file).get('word/document.xml') ?? ''
  const paragraphs = xml.split('</w:p>').map((part) => part.replace(/<[^>]+>/g, ''))
  return { xml, paragraphs }
}

test('what was said stands below a heading, and so do notes and a translation of the whole', async () => {
  const { paragraphs } = await write({
    targetLanguage: { code: 'en', name: 'English' },
    wholeTranslation: [{ pieces: [{ text: 'hello' }], language: 'en', direction: 'ltr' }],
    notes: [{ timeMs: 0, text: { pieces: [{ text: 'ask him' }], language: null, direction: 'ltr' }, quote: null }],
  })
  const at = (text: string) => paragraphs.indexOf(text)
  expect(at('Conversation')).toBeGreaterThan(at('call.wav'))
  expect(at('No speech was found.')).toBeGreaterThan(at('Conversation'))
  expect(at('hello')).toBe(at('Translation (English)') + 1)
  expect(at('Notes')).toBeGreaterThan(at('hello'))
  expect(at('ask him')).toBeGreaterThan(at('Notes'))
})

test('technical facts stand at the end; what is to be known before reading stands before the words', async () => {
  const facts = [{ label: 'SHA-256 of the audio', lines: ['cd'.repeat(32)] }]
  const cautions = ['The right channel is silent.']
  const { paragraphs } = await write({ facts, cautions, rows: [rowOf('غږ', 'ps')] })
  const at = (text: string) => paragraphs.findIndex((paragraph) => paragraph.includes(text))
  const wanted = [
    'call.wav',
    'Please note: The right',
    'Conversation',
    'غږ',
    'About this transcript',
    'SHA-256',
    'cdcd',
  ]
  const places = wanted.map(at)
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('marks are explained where there are any', async () => {
  const edited = await write({ hasEditedLines: true })
  expect(edited.paragraphs.find((text) => text.startsWith('Marks:'))).toContain('edited: changed by a person')
  const uncertain = await write({ hasUncertainWords: true, categories: ['threats'] })
  const legend = uncertain.paragraphs.find((text) => text.startsWith('Marks:'))
  expect(legend).toContain('uncertain')
  expect(legend).toContain('Threats')
  expect(legend).not.toContain('edited')
  expect((await write({})).paragraphs.filter((text) => text.startsWith('Marks:'))).toEqual([])
})

test('Urdu is set in Nastaliq, other languages of the script are not', async () => {
  const nastaliq = /<w:rFonts[^>]* w:cs="[^"]*Urdu[^"]*"/
  expect((await write({ rows: [rowOf('آواز', 'ur')] })).xml).toMatch(nastaliq)
  expect((await write({ rows: [rowOf('غږ', 'ps')] })).xml).not.toMatch(nastaliq)
})

test('a title with what XML has no place for leaves a file that can be opened', async () => {
  const parts = readZip(Buffer.from(await writeDocx({ ...report, title: 'call \uFFFE of \uD800 today' })))
  for (const [name, text] of parts) expect([name, /[\uFFFE\uFFFF]/.test(text)]).toEqual([name, false])
  expect(parts.get('docProps/core.xml')).toContain('<dc:title>call  of \uFFFD today</dc:title>')
})

test('a long call has each line once, in its order, in one table', async () => {
  const texts = Array.from({ length: 1_001 }, (_, line) => `line ${line} of the call`)
  const { xml, paragraphs } = await write({
    facts: [{ label: 'Duration', lines: ['1 h'] }],
    rows: texts.map((text) => rowOf(text, 'en')),
    notes: [{ timeMs: 0, text: { pieces: [{ text: 'ask him' }], language: null, direction: 'ltr' }, quote: null }],
  })
  expect(paragraphs.filter((text) => text.endsWith(' of the call'))).toEqual(texts)
  expect(xml.match(/<w:tblHeader/g)).toHaveLength(1)
  expect(xml.match(/<w:tbl>/g)).toHaveLength(3)
  expect(paragraphs.indexOf('ask him')).toBeGreaterThan(paragraphs.indexOf(texts.at(-1) ?? ''))
  const withoutRepeated = (text: string) => text.replaceAll(/line \d+/g, 'line')
  const rows = xml.split('<w:tr>').filter((row) => row.includes('of the call'))
  expect(new Set(rows.slice(0, -1).map(withoutRepeated)).size).toBe(1)
})

test('a file name keeps the order of its parts, in the title, in the head and among the facts', async () => {
  const title = '1168_پشاور_2026-10-01.mp3'
  const facts = [{ label: 'File', lines: [`\u20681168_\u2068پشاور\u2069_2026-10-01.mp3\u2069`] }]
  const parts = readZip(Buffer.from(await writeDocx({ ...report, title, facts })))
  const inOrder = '\u200E1168_\u200Eپشاور\u200E_2026-10-01.mp3\u200E'
  for (const name of ['word/document.xml', 'word/header1.xml']) {
    const xml = parts.get(name) ?? ''
    const paragraphs = xml.split('</w:p>').filter((part) => part.includes('پشاور'))
    expect(paragraphs.map((part) => part.replace(/<[^>]+>/g, ''))).toContain(inOrder)
    expect(paragraphs.filter((part) => part.includes('<w:bidi'))).toEqual([])
  }
  expect(parts.get('docProps/core.xml')).toContain(`<dc:title>${title}</dc:title>`)
})

test('time and speaker of a line stand where its reading begins', async () => {
  const named = (text: string, direction: 'ltr' | 'rtl'): ReportRow => ({
    ...rowOf(text, direction === 'rtl' ? 'ps' : 'en'),
    original: { pieces: [{ text }], language: null, direction },
    speaker: 'احمد شاه (Kandahar)',
  })
  const { xml } = await write({ rows: [named('غږ', 'rtl'), named('voice', 'ltr')] })
  const [pashto = '', english = ''] = xml.split('</w:p>').filter((part) => part.includes('00:00:00'))
  expect(pashto).toContain('<w:bidi/>')
  expect(english).not.toContain('<w:bidi/>')
})

test('a template has its heading, the name of the recording below it, and its texts around the words', async () => {
  const text = (line: string, direction: 'ltr' | 'rtl') => ({ pieces: [{ text: line }], language: null, direction })
  const templateTexts = {
    heading: text('گزارش', 'rtl'),
    hasName: true,
    introduction: [text('Case 12', 'ltr'), { pieces: [], language: null, direction: 'ltr' as const }],
    closing: [text('Signed', 'ltr')],
  }
  const { xml, paragraphs } = await write({ templateTexts, facts: [{ label: 'File', lines: ['call.wav'] }] })
  const inOrder = [
    'گزارش',
    'call.wav',
    'Case 12',
    '',
    'Conversation',
    'No speech was found.',
    'Signed',
    'About this transcript',
  ]
  expect(paragraphs.slice(0, inOrder.length)).toEqual(inOrder)
  // The name is aligned to the same side as the heading.
  expect(
    xml
      .split('</w:p>')
      .map((part) => part.includes('<w:bidi/>'))
      .slice(0, 3),
  ).toEqual([true, true, false])
})
