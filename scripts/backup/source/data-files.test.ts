import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { verifyBackup } from '../read/verify-backup.ts'
import { backUpToFolder } from '../create/create-backup.ts'
import { openServer, optionsFor } from '../testing/instance.ts'
import { listDataFiles, listModelFiles } from './data-files.ts'

async function makeFolders() {
  const dataDir = await temporaryFolder()
  return { dataDir, modelsDir: join(dataDir, 'models') }
}

test('a file behind a symbolic link is listed once, by its link, as Kubernetes mounts a secret', async () => {
  const folders = await makeFolders()
  const secrets = join(folders.dataDir, 'secrets')
  await mkdir(join(secrets, '..2026_11_26'), { recursive: true })
  await writeFile(join(secrets, '..2026_11_26', 'master-key'), 'key')
  await symlink('..2026_11_26', join(secrets, '..data'))
  await symlink(join('..data', 'master-key'), join(secrets, 'master-key'))
  const paths = (await listDataFiles(folders)).map(({ path }) => path)
  expect(paths.filter((path) => path.includes('secrets'))).toEqual(['data/secrets/master-key'])
})

test('folders behind symbolic links are listed, and one that links to its parent only once', async () => {
  const { modelsDir } = await makeFolders()
  const elsewhere = await temporaryFolder()
  await mkdir(modelsDir)
  await writeFile(join(elsewhere, 'weights.bin'), 'weights')
  await symlink(elsewhere, join(modelsDir, 'large'))
  await symlink(elsewhere, join(elsewhere, 'again'))
  await symlink(join(elsewhere, 'nowhere'), join(modelsDir, 'dangling'))
  expect((await listModelFiles(modelsDir)).map(({ path }) => path)).toEqual(['models/large/weights.bin'])
})

test('a missing folder has no files, and one that cannot be read stops the backup', async () => {
  const folders = await makeFolders()
  expect((await listDataFiles(folders)).map(({ path }) => path)).not.toContainEqual(expect.stringContaining('outbox/'))
  await symlink('outbox', join(folders.dataDir, 'outbox'))
  await expect(listDataFiles(folders)).rejects.toThrow('ELOOP')
})

test('a master key behind a symbolic link is in the backup, which opens', async () => {
  const server = await openServer()
  const key = join(server.config.dataDir, 'secrets', 'master-key')
  const elsewhere = join(await temporaryFolder(), 'master-key')
  await rename(key, elsewhere)
  await symlink(elsewhere, key)
  const { path, manifest } = await backUpToFolder(await temporaryFolder(), optionsFor(server))
  expect(manifest.files.map((file) => file.path)).toContain('data/secrets/master-key')
  expect((await verifyBackup({ path })).problems).toEqual([])
})
