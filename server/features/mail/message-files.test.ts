import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMessageFiles } from './message-files.ts'

test.each(['id.eml', 'id.txt'])('leaves neither file where %s cannot be written, and says why', async (name) => {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-outbox-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, name), '')
  const message = { eml: Buffer.from('code'), text: 'code' }
  await expect(openMessageFiles(folder).write('id', message)).rejects.toThrow('EEXIST')
  expect(await readdir(folder)).toEqual([])
})
