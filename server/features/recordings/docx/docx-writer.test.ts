import { expect, test } from 'vitest'
import type { TranscriptReport } from '#contract/formats/report.ts'
import { readZip } from '#testing/read-zip.ts'
import { createDocxWriter } from './docx-writer.ts'

const report: TranscriptReport = {
  title: 'call \uFFFE of \uD800 today',
  facts: [],
  languages: [],
  targetLanguage: null,
  categories: [],
  hasUncertainWords: false,
  hasEditedLines: false,
  rows: [],
  wholeTranslation: [],
  notes: [],
}

test('a title with what XML has no place for leaves a file that can be opened', async () => {
  const writer = createDocxWriter()
  const parts = readZip(await writer.write(report))
  await writer.close()
  for (const [name, text] of parts) expect([name, /[\uFFFE\uFFFF]/.test(text)]).toEqual([name, false])
  expect(parts.get('docProps/core.xml')).toContain('<dc:title>call  of \uFFFD today</dc:title>')
})

test('a document that takes too long is given up with a sentence', async () => {
  const writer = createDocxWriter({ timeoutMs: 1 })
  await expect(writer.write(report)).rejects.toMatchObject({ code: 'unavailable' })
  await writer.close()
})
