import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { backUpToFolder } from '../create/create-backup.ts'
import { maxPartBytes } from '../format/manifest.ts'
import { writeTar } from '../format/tar-writer.ts'
import { restoreBackup } from '../restore/restore-backup.ts'
import { openServer, optionsFor, readFiles } from '../testing/instance.ts'
import { createDecrypter } from './archive-key.ts'
import { checkArchive } from './check-archive.ts'

interface ArchiveFile {
  path: string
  content: Buffer
  blob?: string
}

const masterKey = { path: 'data/secrets/master-key', content: Buffer.from(Buffer.alloc(32).toString('base64')) }

/** Writes an archive that matches its hashes, whatever its content. */
async function writeArchive(given: ArchiveFile[], { head = {} } = {}): Promise<string> {
  const files = [masterKey, ...given]
  const manifest = {
    format: 1,
    version: '1.0.0',
    createdAt: '2026-11-26T02:00:00.000Z',
    database: { engine: 'embedded', isPointInTime: true, collections: [] },
    files: files.map(({ content, ...file }) => ({
      ...file,
      sizeBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    })),
    missingAudio: [],
    damagedAudio: [],
  }
  const json = (path: string, value: unknown) => ({ path, content: Buffer.from(JSON.stringify(value)) })
  const inArchive = files.filter((file) => !('blob' in file))
  async function* entries() {
    const opening = json('awaz-backup.json', { product: 'awaz', format: 1, version: '1.0.0', ...head })
    for (const { path, content } of [opening, ...inArchive, json('manifest.json', manifest)])
      yield { path, sizeBytes: content.length, content: [content] }
  }
  const path = join(await temporaryFolder(), 'awaz-20261126T020000Z.tar')
  await writeFile(path, writeTar(entries()))
  return path
}

test.each([
  'data/compile-cache/v24/code',
  'data/db/awaz.sqlite',
  'data/audio/orphans/0123456789abcdef01234567.wav',
  'data/.restoring/x',
  'data/secrets/../../x',
  'models/../x',
  'database/users/users.js',
])('an archive that holds %s is refused', async (path) => {
  const archive = await writeArchive([{ path, content: Buffer.from('x') }])
  await expect(checkArchive({ path: archive })).rejects.toThrow(`a file of an unknown place, ${path}`)
})

test.each(['../../../../dev/zero', '3f', `${'0'.repeat(64)}/x`])(
  'an archive whose manifest refers to the blob %s is refused',
  async (blob) => {
    const path = 'data/audio/67/0123456789abcdef01234567.wav'
    const archive = await writeArchive([{ path, content: Buffer.from('x'), blob }])
    await expect(checkArchive({ path: archive })).rejects.toThrow('its manifest cannot be read')
  },
)

test('an archive whose parts do not fit into memory is refused', async () => {
  const part = { path: 'database/users/000001.bson', content: Buffer.alloc(maxPartBytes + 1) }
  await expect(checkArchive({ path: await writeArchive([part]) })).rejects.toThrow('a file that is too large')
  const head = { padding: 'x'.repeat(100_000) }
  await expect(checkArchive({ path: await writeArchive([], { head }) })).rejects.toThrow('a file that is too large')
})

test('every kind of file that a backup is made of is restored', async () => {
  const server = await openServer()
  const { dataDir } = server.config
  await mkdir(join(dataDir, 'outbox', 'failed'), { recursive: true })
  const names = [
    'terms.md',
    'privacy.md',
    'support.md',
    'initial-admin-password',
    'outbox/a.eml',
    'outbox/failed/b.eml',
    'audio/.store',
  ]
  for (const name of names) await writeFile(join(dataDir, name), name)
  const { path } = await backUpToFolder(await temporaryFolder(), optionsFor(server))
  const target = await temporaryFolder()
  const steps = { onStage: () => undefined, onProgress: () => undefined }
  await restoreBackup({ path, dataDir: target, modelsDir: join(target, 'models'), ...steps })
  expect(await readFiles(target)).toEqual(await readFiles(dataDir))
  expect(await readFile(join(target, 'audio', '.store'), 'utf8')).toBe('audio/.store')
  expect(await readdir(target)).toEqual(expect.arrayContaining(['secrets', 'outbox', 'terms.md']))
})

test('an archive that is not there is one error, with and without a key', async () => {
  const path = join(await temporaryFolder(), 'awaz-20261126T020000Z.tar.age')
  const decrypter = createDecrypter({ passphrase: 'a long passphrase', identities: [] })
  for (const options of [{ path }, { path, decrypter }]) {
    await expect(checkArchive(options)).rejects.toThrow(`${path}`)
  }
})
