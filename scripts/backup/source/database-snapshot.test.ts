import { mkdir, readdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { openRestored } from '../testing/instance.ts'
import { openDatabaseSnapshot } from './database-snapshot.ts'

test('the moment of the embedded database is reported before its copy is checked', async () => {
  const dataDir = await temporaryFolder()
  const databaseFolder = join(dataDir, 'db')
  await mkdir(databaseFolder)
  const { uri, dbName } = await openRestored(dataDir)
  const opening = openDatabaseSnapshot({
    uri,
    dbName,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    async onCopied() {
      const copy = (await readdir(databaseFolder)).find((name) => name.includes('.snapshot-')) ?? ''
      await truncate(join(databaseFolder, copy), 10_000)
    },
  })
  await expect(opening).rejects.toThrow(/malformed|damaged|not a database/)
})
