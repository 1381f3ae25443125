import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { FolderProblem } from './folder-problem.ts'
import { FolderHandle, withFolders } from './folder-handle.ts'

const name = (text: string) => Buffer.from(text)

async function open(path: string): Promise<FolderHandle> {
  const folder = await FolderHandle.open(path)
  onTestFinished(() => folder.close())
  return folder
}

test('a folder that is held open is the same one though a link has its path now', async () => {
  const [parent, outside] = [await temporaryFolder(), await temporaryFolder()]
  const path = join(parent, 'own')
  await mkdir(path)
  await writeFile(join(path, 'call.wav'), 'own')
  await writeFile(join(outside, 'call.wav'), 'secret')
  const folder = await open(path)
  const done = await folder.openOrMakeFolder(name('done'))
  onTestFinished(() => done.close())
  await rename(path, join(parent, 'away'))
  await symlink(outside, path)
  const file = await folder.openFile(name('call.wav'))
  expect(await file.readFile('utf8').finally(() => file.close())).toBe('own')
  await folder.moveTo(done, name('call.wav'), name('moved.wav'))
  await folder.writeNew(name('note.txt'), 'note')
  expect(await readFile(join(parent, 'away', 'done', 'moved.wav'), 'utf8')).toBe('own')
  expect(await readdir(join(parent, 'away'))).toEqual(['done', 'note.txt'])
  expect(await readdir(outside)).toEqual(['call.wav'])
})

test('no link is followed, to a folder or to a file', async () => {
  const [path, outside] = [await temporaryFolder(), await temporaryFolder()]
  await writeFile(join(outside, 'secret.wav'), 'secret')
  await symlink(outside, join(path, 'folder'))
  await symlink(join(outside, 'secret.wav'), join(path, 'file.wav'))
  const folder = await open(path)
  await expect(folder.openFolder(name('folder'))).rejects.toThrow(/ENOTDIR|ELOOP/)
  await expect(folder.openOrMakeFolder(name('folder'))).rejects.toThrow(/ENOTDIR|ELOOP/)
  await expect(folder.openFile(name('file.wav'))).rejects.toThrow('ELOOP')
  await expect(folder.writeNew(name('file.wav'), 'x')).rejects.toThrow('EEXIST')
  await expect(withFolders(folder, [name('folder'), name('below')], async () => null)).rejects.toThrow(FolderProblem)
})

test.each(['..', '.', 'a/b', ''])('%j is no name', async (text) => {
  const folder = await open(await temporaryFolder())
  await expect(folder.openFolder(name(text))).rejects.toThrow('is no path')
})
