import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { importRecords, exportRecords, skippedTestsList, createRecordFolders } from './bare-records.ts'

const records = ['node_modules/.awaz/api-coverage/7.ndjson', 'node_modules/.awaz/db-recording/8.json']

async function writeFiles(checkout: string, files: Record<string, string>) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(checkout, name)), { recursive: true })
    await writeFile(join(checkout, name), content)
  }
}

test('records of another root stand beside those of processes with the same number, and its partly run files are named', async () => {
  const folder = await temporaryFolder()
  const bare = join(folder, 'bare')
  const here = join(folder, 'here')
  const kept = join(folder, 'kept')
  const own = Object.fromEntries(records.map((name) => [name, '{}']))
  await writeFiles(bare, { ...own, [skippedTestsList]: '["server/one.test.ts"]' })
  await writeFiles(here, own)
  exportRecords(bare, kept)
  expect(importRecords(kept, here)).toEqual(['server/one.test.ts'])
  const names = await Promise.all(records.map((name) => readdir(join(here, dirname(name)))))
  expect(names.map((list) => list.toSorted())).toEqual([
    ['7.ndjson', 'bare-7.ndjson'],
    ['8.json', 'bare-8.json'],
  ])
})

test('a run that recorded nothing leaves no records', async () => {
  const folder = await temporaryFolder()
  const bare = join(folder, 'bare')
  createRecordFolders(bare)
  await writeFiles(bare, { [skippedTestsList]: '[]' })
  exportRecords(bare, join(folder, 'kept'))
  expect(importRecords(join(folder, 'kept'), join(folder, 'here'))).toEqual([])
})

test('a root that could not be made leaves nothing out', async () => {
  const folder = await temporaryFolder()
  expect(importRecords(join(folder, 'none'), folder)).toBeUndefined()
})
