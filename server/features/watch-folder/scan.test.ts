import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { decodePath } from './names.ts'
import { FolderHandle } from './folder-handle.ts'
import { scanFolder } from './scan.ts'

async function scan(folder: string, signal = new AbortController().signal) {
  const root = await FolderHandle.open(folder)
  const { folders, problems } = await scanFolder(root, signal).finally(() => root.close())
  return {
    files: folders.flatMap(({ path, files }) => files.map(({ name }) => decodePath([...path, name]))),
    problems: problems.map(({ path, reason }) => [decodePath(path), reason]),
    settings: folders.flatMap(({ path, settings }) => (settings === undefined ? [] : decodePath(path))),
  }
}

test('lists files with those below, and what is too deep to be looked at', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'a/1/2/3/4/5'), { recursive: true })
  await mkdir(join(folder, 'a/done'))
  for (const name of [
    'loose.wav',
    'a/call.wav',
    'a/watch.json',
    'a/copy.part',
    'a/.hidden',
    'a/done/old.wav',
    'a/1/2/3/4/deep.wav',
  ])
    await writeFile(join(folder, name), 'x')
  expect(await scan(folder)).toEqual({
    files: ['loose.wav', 'a/call.wav', 'a/1/2/3/4/deep.wav'],
    problems: [['a/1/2/3/4', 'Folders more than 4 levels below "a" are not looked at: move them up.']],
    settings: ['a'],
  })
})

test('lists a link, and looks at nothing behind it', async () => {
  const [folder, outside] = [await temporaryFolder(), await temporaryFolder()]
  await writeFile(join(outside, 'secret.wav'), 'x')
  await symlink(outside, join(folder, 'link'))
  expect(await scan(folder)).toEqual({ files: ['link'], problems: [], settings: [] })
})

test('ends when it is aborted', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'call.wav'), 'x')
  await expect(scan(folder, AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping')
})

test('ends below a folder too, which is no problem of that folder', async () => {
  const folder = await temporaryFolder()
  for (let number = 0; number < 100; number += 1) await mkdir(join(folder, `case ${number}`))
  const stopping = new AbortController()
  const scanned = scan(folder, stopping.signal)
  setImmediate(() => stopping.abort(new Error('stopping')))
  await expect(scanned).rejects.toThrow('stopping')
})
