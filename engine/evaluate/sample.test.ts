import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { hashSample, readSample } from './sample.ts'
import type { SampleOptions } from './sample.ts'

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

async function spokenIn(files: Record<string, string>, options?: SampleOptions) {
  const { spoken } = await readSample(await folderOf(files), options)
  return spoken.map(({ name, language, text }) => [name, language, text])
}

test('a text file belongs to the recording of the same name', async () => {
  const files = { 'a.wav': 'sound', 'a.txt': '\uFEFFsalaam\n', 'b.mp3': 'sound', 'b.txt': 'bye', 'notes.md': 'x' }
  expect(await spokenIn(files, { language: 'ps' })).toEqual([
    ['a.wav', 'ps', 'salaam'],
    ['b.mp3', 'ps', 'bye'],
  ])
})

test('a folder’s name sets the language', async () => {
  expect(await spokenIn({ 'fa/a.wav': 's', 'fa/a.txt': 'x', 'prs/a.wav': 's', 'prs/a.txt': 'y' })).toEqual([
    ['fa/a.wav', 'fa', 'x'],
    ['prs/a.wav', 'prs', 'y'],
  ])
})

test.each([
  ['without a header', 'a.wav\tsalaam\tfa\r\n\r\nb.wav\thello\ten\r\n'],
  ['with the header of Common Voice', 'client\tpath\tsentence\tlocale\n1\ta.wav\tsalaam\tfa\n2\tb.wav\thello\ten\n'],
  ['with a header of our own', 'language\tfile\ttranscript\nfa\ta.wav\tsalaam\nen\tb.wav\thello\n'],
])('reads a table %s', async (_, table) => {
  expect(await spokenIn({ 'set/list.tsv': table, 'set/a.wav': 's', 'set/b.wav': 's' })).toEqual([
    ['set/a.wav', 'fa', 'salaam'],
    ['set/b.wav', 'en', 'hello'],
  ])
})

test.each([
  ['the name of the file', { 'ps-en.tsv': 'سلام\thello\n' }, {}],
  ['a first row', { 'x.tsv': 'ps\ten\nسلام\thello\n' }, {}],
  ['an option', { 'x.tsv': 'سلام\thello\n' }, { pair: 'ps-en' }],
])('the languages of text pairs come from %s', async (_, files, options) => {
  const { pairs } = await readSample(await folderOf(files), options)
  expect(pairs).toEqual([expect.objectContaining({ source: 'ps', target: 'en', text: 'سلام', reference: 'hello' })])
})

test('recordings without a text are left out and reported', async () => {
  const folder = await folderOf({ 'a.wav': 's', 'a.txt': 'x', 'b.wav': 's' })
  expect((await readSample(folder, { language: 'en' })).unused).toEqual(['b.wav'])
})

test.each([
  ['nothing', {}, /there are no recordings and no text pairs\./u],
  ['recordings without any text', { 'a.wav': 's' }, /there are 1 recordings without texts\./u],
  [
    'a text without a recording',
    { 'a.wav': 's', 'a.txt': 'x', 'b.txt': 'y' },
    /^This text has no recording of the same name: b\.txt\.$/u,
  ],
  [
    'a row without a recording',
    { 'list.tsv': 'a.wav\tx\tfa\nb.wav\ty\tfa\n', 'a.wav': 's' },
    /^This text has no recording which list\.tsv names: b\.wav\.$/u,
  ],
  ['an empty text file', { 'a.wav': 's', 'a.txt': ' \n' }, /^The text of a\.wav is empty: a\.txt\.$/u],
  [
    'an empty text in a table',
    { 'list.tsv': 'a.wav\t\tfa\n', 'a.wav': 's' },
    /^Line 1 of list\.tsv has an empty text\./u,
  ],
  ['a pair of one text', { 'ps-en.tsv': 'سلام\n' }, /^Line 1 of ps-en\.tsv has an empty text\./u],
  ['pairs of unknown languages', { 'x.tsv': 'سلام\thello\n' }, /^The languages of x\.tsv are not known\./u],
  ['a recording of an unknown language', { 'a.wav': 's', 'a.txt': 'x' }, /^The language of a\.wav is not known\.$/u],
  ['a language that is none', { 'list.tsv': 'a.wav\tx\ttlh\n', 'a.wav': 's' }, /^"tlh" \(a\.wav\) is not a language/u],
])('refuses a sample with %s', async (_, files, sentence) => {
  await expect(readSample(await folderOf(files))).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(sentence),
  })
})

test('refuses a missing folder, and a file', async () => {
  const folder = await folderOf({ 'a.wav': 's' })
  await expect(readSample(join(folder, 'none'))).rejects.toThrow(/could not be read/u)
  await expect(readSample(join(folder, 'a.wav'))).rejects.toThrow(/is not a folder/u)
})

test('a sample’s hash does not depend on its folder, but on its texts', async () => {
  const one = await readSample(await folderOf({ 'a.wav': 's', 'a.txt': 'x' }), { language: 'en' })
  const same = await readSample(await folderOf({ 'a.wav': 's', 'a.txt': 'x' }), { language: 'en' })
  const other = await readSample(await folderOf({ 'a.wav': 's', 'a.txt': 'y' }), { language: 'en' })
  expect(hashSample(same)).toBe(hashSample(one))
  expect(hashSample(other)).not.toBe(hashSample(one))
})
