import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { bundledModelsDir, findSpeechModel } from '../catalog.ts'
import { verifyModel } from '../verify.ts'
import { exportModel } from './export-model.ts'
import { importModel } from './import-model.ts'
import { demoSpeechPath, readJson, storeConfig } from './testing/models-folder.ts'

/** Exports the demo speech model under the id `ours` and returns the export folder. */
async function exportOurs(options: { name?: string; languages?: string[] } = {}): Promise<string> {
  const from = await storeConfig()
  const path = join(await temporaryFolder(), 'ours.bin')
  await copyFile(demoSpeechPath, path)
  await importModel(path, options, from)
  return exportModel('ours', await temporaryFolder(), from)
}

/** Exports a CTC network with its weights in a separate file. */
async function exportDolphin(): Promise<string> {
  const from = await storeConfig()
  const folder = join(await temporaryFolder(), 'dolphin')
  await mkdir(folder)
  await copyFile(join(bundledModelsDir, 'vad', 'silero_vad_v5.onnx'), join(folder, 'model.onnx'))
  await writeFile(join(folder, 'model.onnx.data'), 'weights')
  await writeFile(join(folder, 'tokens.txt'), '<blk> 0\na 1\n')
  await importModel(folder, {}, from)
  return exportModel('dolphin', await temporaryFolder(), from)
}

/** Recomputes SHA256SUMS after a change. */
async function renewChecksums(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS')
  await writeFile(join(folder, 'SHA256SUMS'), spawnSync('sha256sum', names, { cwd: folder }).stdout)
}

test('an export is imported with its entry, and an altered file is refused', async () => {
  const folder = await exportOurs({ languages: ['ps'], name: 'Our Pashto' })
  expect(spawnSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: folder }).status).toBe(0)
  const to = await storeConfig()
  const { model } = await importModel(folder, {}, to)
  expect(model).toMatchObject({ id: 'ours', name: 'Our Pashto', languages: ['ps'], file: 'ours/ours.bin' })
  await verifyModel(await findSpeechModel('ours', to.modelsDir))
  expect(await readJson(folder, 'awaz-model.json')).toMatchObject({ id: 'ours', file: 'ours.bin' })
  const content = await readFile(join(folder, 'ours.bin'))
  content[5_000_000] = (content[5_000_000] ?? 0) ^ 1
  await writeFile(join(folder, 'ours.bin'), content)
  const other = await storeConfig()
  await expect(importModel(folder, {}, other)).rejects.toThrow('ours.bin is not the file that was exported')
  expect(await readdir(other.modelsDir)).toEqual([])
})

test('an exported entry marked as a demo model is imported as a removable one', async () => {
  const folder = await exportOurs()
  const entry = await readFile(join(folder, 'awaz-model.json'), 'utf8')
  await writeFile(join(folder, 'awaz-model.json'), entry.replace('"isDemo": false', '"isDemo": true'))
  await renewChecksums(folder)
  const to = await storeConfig()
  expect((await importModel(folder, {}, to)).model.isDemo).toBe(false)
  await verifyModel(await findSpeechModel('ours', to.modelsDir))
})

test('an export contains external weights, and its checksums name every file', async () => {
  const folder = await exportDolphin()
  const files = ['awaz-model.json', 'model.onnx', 'model.onnx.data', 'tokens.txt']
  expect((await readdir(folder)).toSorted()).toEqual(['SHA256SUMS', ...files])
  const lines = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trim().split('\n')
  expect(lines.map((line) => line.split('  ')[1]).toSorted()).toEqual(files)
  // Files that file managers leave on a USB stick are not part of the export.
  await mkdir(join(folder, '.Trashes', '501'), { recursive: true })
  for (const name of ['Thumbs.db', 'desktop.ini', '.Trashes/501/x']) await writeFile(join(folder, name), '')
  const to = await storeConfig()
  await importModel(folder, {}, to)
  expect((await readdir(join(to.modelsDir, 'dolphin'))).toSorted()).toEqual(files.slice(1))
})

async function editChecksums(folder: string, edit: (text: string) => string): Promise<void> {
  const path = join(folder, 'SHA256SUMS')
  await writeFile(path, edit(await readFile(path, 'utf8')))
}

const withoutLine = (name: string) => (folder: string) =>
  editChecksums(folder, (text) =>
    text
      .split('\n')
      .filter((line) => !line.endsWith(`  ${name}`))
      .join('\n'),
  )

test.each<[string, (folder: string) => Promise<unknown>, string]>([
  ['do not name its weights', withoutLine('model.onnx.data'), 'SHA256SUMS does not name model.onnx.data'],
  ['do not name its entry', withoutLine('awaz-model.json'), 'SHA256SUMS does not name awaz-model.json'],
  [
    'name a file that is missing',
    (folder) => rm(join(folder, 'tokens.txt')),
    'SHA256SUMS names tokens.txt, which is missing',
  ],
  [
    'and files lack what the entry names',
    async (folder) => {
      await rm(join(folder, 'tokens.txt'))
      await renewChecksums(folder)
    },
    'has no file tokens.txt',
  ],
  [
    'are those of another entry',
    async (folder) => {
      const path = join(folder, 'awaz-model.json')
      await writeFile(path, (await readFile(path, 'utf8')).replace('"unknown"', '"MIT"'))
    },
    'awaz-model.json is not the file that was exported',
  ],
  ['are missing', (folder) => rm(join(folder, 'SHA256SUMS')), 'SHA256SUMS is missing or empty'],
  [
    'are no checksums',
    (folder) => editChecksums(folder, () => 'words'),
    'SHA256SUMS is not a list of checksums: "words"',
  ],
])('an export whose checksums %s is refused, and no files are left', async (_, damage, sentence) => {
  const folder = await exportDolphin()
  await damage(folder)
  const to = await storeConfig()
  await expect(importModel(folder, {}, to)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining(sentence),
  })
  expect(await readdir(to.modelsDir)).toEqual([])
})

test('files that a file manager left in an export are ignored', async () => {
  const folder = await exportOurs()
  await writeFile(join(folder, '.DS_Store'), 'icons')
  expect((await importModel(folder, {}, await storeConfig())).model.id).toBe('ours')
})

test('an exported entry with a reserved id is refused', async () => {
  const folder = await exportOurs()
  const path = join(folder, 'awaz-model.json')
  await writeFile(path, (await readFile(path, 'utf8')).replace('"id": "ours"', '"id": "registry.json"'))
  await renewChecksums(folder)
  await expect(importModel(folder, {}, await storeConfig())).rejects.toThrow('"registry.json" cannot be the id')
})
