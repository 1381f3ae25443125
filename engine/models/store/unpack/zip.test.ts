import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { writeZip } from '#testing/write-zip.ts'
import { readZip } from './zip.ts'

const content = Buffer.alloc(100_000, 'sound ')

async function archiveOf(name: string, options: { isStored: boolean }): Promise<string> {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'content'), content)
  await writeZip(join(folder, 'a.zip'), { [name]: join(folder, 'content') }, options)
  return join(folder, 'a.zip')
}

test.each([true, false])('a file is extracted whole under its name (stored: %s)', async (isStored) => {
  const found: [string, Buffer][] = []
  await readZip(await archiveOf('مدل/model.bin', { isStored }), async (name, stream) => {
    found.push([name, await buffer(stream)])
  })
  expect(found).toEqual([['مدل/model.bin', content]])
})

test('a file in which one byte has changed is refused at its end', async () => {
  const archive = await archiveOf('model.bin', { isStored: true })
  const bytes = await readFile(archive)
  bytes[5_000] = (bytes[5_000] ?? 0) ^ 1
  await writeFile(archive, bytes)
  const extract = readZip(archive, async (_, stream) => void (await buffer(stream)))
  await expect(extract).rejects.toThrow('model.bin is damaged')
})
