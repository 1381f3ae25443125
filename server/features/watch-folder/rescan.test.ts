import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createRescan } from './rescan.ts'

test('returns the files that are as they were at the last call, not those that grow, are new or ignored', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'a', 'deep'), { recursive: true })
  for (const name of ['a/still.wav', 'a/grows.wav', 'a/deep/below.wav', 'a/ignored.tmp']) {
    await writeFile(join(folder, name), 'x')
  }
  const rescan = createRescan({ folder, maxDepth: 1, isIgnored: (path) => path.endsWith('.tmp') })
  expect(await rescan()).toEqual([])
  await writeFile(join(folder, 'a/grows.wav'), 'xx')
  await writeFile(join(folder, 'a/new.wav'), 'x')
  expect(await rescan()).toEqual([join(folder, 'a/still.wav')])
  expect((await rescan()).toSorted()).toEqual(
    ['a/grows.wav', 'a/new.wav', 'a/still.wav'].map((name) => join(folder, name)),
  )
})
