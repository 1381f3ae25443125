import { randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { storeTranscription } from '#server/features/library/testing/store-texts.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { backUpToFolder } from '../create/create-backup.ts'
import { createDecrypter } from '../read/archive-key.ts'
import { passphraseEncryption, openServer, optionsFor, passphrase, storeRecording } from '../testing/instance.ts'
import { rehearseBackup } from './rehearse-backup.ts'
import { startScratchInstance } from './scratch-instance.ts'
import { transcribeSample } from './transcribe-sample.ts'

const decrypter = createDecrypter({ passphrase, identities: [] })
const steps = { onStage: () => undefined, onProgress: () => undefined }

/** Backs up a server with 25 recordings, one of them transcribed. */
async function backUp() {
  const server = await openServer()
  const { id: ownerId } = await server.createUser()
  const ids = []
  for (let n = 0; n < 25; n++) ids.push(await storeRecording(server, ownerId, randomBytes(500)))
  const recordingId = ids[0] ?? ''
  await storeTranscription(server.services.work.queue, { ownerId, recordingId }, { text: 'one line' })
  const folder = await temporaryFolder()
  return { ...(await backUpToFolder(folder, optionsFor(server, passphraseEncryption))), folder }
}

test('a rehearsal restores, starts, signs in, opens a transcript, transcribes a call, compares counts and audio, and leaves nothing', async () => {
  const { path, manifest } = await backUp()
  const scratchDir = await temporaryFolder()
  const checks = await rehearseBackup({ path, decrypter, scratchDir, ...steps })
  expect(checks.filter(({ isPassed }) => !isPassed)).toEqual([])
  const byName = Object.fromEntries(checks.map(({ name, found }) => [name, found]))
  expect(byName).toMatchObject({
    'documents in recordings': '25',
    'audio files, at random': '20 as uploaded',
    'sign-in of a new account': 'works',
    'a transcript by the API': 'opens (1 lines)',
    'transcription of the sample call': '14 lines, 14 as expected',
  })
  expect(checks).toHaveLength(manifest.database.collections.length + 4)
  expect(await readdir(scratchDir)).toEqual([])
})

test('a rehearsal where no model is says so, and that is no failure of the backup', async () => {
  const dataDir = await temporaryFolder()
  await mkdir(join(dataDir, 'db'))
  const instance = await startScratchInstance(dataDir)
  onTestFinished(() => instance.stop())
  const config = { ...instance.config, speechModel: 'not-installed' }
  const check = await transcribeSample({ ...instance, config }, { token: 'not used' })
  expect(check).toMatchObject({ found: 'none on this machine', isPassed: true })
})

test('a rehearsal of a damaged backup fails with the file that is damaged, and leaves nothing', async () => {
  const { path, folder } = await backUp()
  const blobs = (await readdir(join(folder, 'blobs'), { recursive: true })).filter((name) => name.endsWith('.age'))
  const blob = join(folder, 'blobs', blobs[0] ?? '')
  await writeFile(blob, 'something else')
  const scratchDir = await temporaryFolder()
  await expect(rehearseBackup({ path, decrypter, scratchDir, ...steps })).rejects.toMatchObject({
    details: [expect.stringContaining(blob)],
  })
  expect(await readdir(scratchDir)).toEqual([])
})
