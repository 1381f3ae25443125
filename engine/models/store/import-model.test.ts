import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFile, cp, mkdir, readFile, readdir, readlink, symlink, truncate, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { writeZip } from '#testing/write-zip.ts'
import { bundledModelsDir, findSpeechModel, findTranslationModel, loadCatalog } from '../catalog.ts'
import { verifyModel } from '../verify.ts'
import { importModel } from './import-model.ts'
import type { StoreConfig } from './store-options.ts'
import { folderPackers } from './testing/folder-packers.ts'
import { demoSpeechPath, demoTranslatorPath, storeConfig } from './testing/models-folder.ts'

/** Lists the folder without the registry, to show that no partly written model and no leftovers are in it. */
async function visible({ modelsDir }: StoreConfig): Promise<string[]> {
  return (await readdir(modelsDir)).filter((name) => name !== 'registry.json').toSorted()
}

async function speechFile(name = 'Our Pashto v2.bin'): Promise<string> {
  const path = join(await temporaryFolder(), name)
  await copyFile(demoSpeechPath, path)
  return path
}

test('an imported Whisper file becomes a usable model with its own entry', async () => {
  const config = await storeConfig()
  const stages = new Set<string>()
  const options = { name: 'Our Pashto', languages: ['ps'], licence: 'Apache-2.0' }
  const { model } = await importModel(await speechFile(), options, config, {
    onProgress: ({ stage }) => stages.add(stage),
  })
  expect(model).toMatchObject({ id: 'our-pashto-v2', name: 'Our Pashto', languages: ['ps'], sizeBytes: 7_580_802 })
  expect(model.sha256).toMatch(/^[0-9a-f]{64}$/u)
  expect(await visible(config)).toEqual(['catalog.local.json', 'our-pashto-v2.bin'])
  expect([...stages]).toEqual(['copy', 'check'])
  expect((await loadCatalog(config.modelsDir)).problems).toEqual([])
  await verifyModel(await findSpeechModel('our-pashto-v2', config.modelsDir))
})

test('a translation model takes its name, licence and languages from its file', async () => {
  const config = await storeConfig()
  const { model } = await importModel(demoTranslatorPath, { id: 'ours' }, config)
  expect(model).toMatchObject({ kind: 'translation', name: 'demo-translator', licence: 'mit', file: 'ours.gguf' })
  expect(model.languages).toEqual(['en', 'ps', 'ur', 'fa', 'ar'])
  await verifyModel(await findTranslationModel('ours', config.modelsDir))
})

test('a translation model without a chat template gets the form completion', async () => {
  const path = join(await temporaryFolder(), 'base.gguf')
  const content = await readFile(demoTranslatorPath)
  content.write('tokenizer.chat_xemplate', content.indexOf('tokenizer.chat_template'))
  await writeFile(path, content)
  const { model } = await importModel(path, {}, await storeConfig())
  expect(model).toMatchObject({ id: 'base', profile: { form: 'completion' } })
})

test.each<[string, (path: string) => Promise<unknown>, string]>([
  ['a text file', (path) => writeFile(path, 'words'), 'it is a text file'],
  ['an empty file', (path) => writeFile(path, ''), 'it is an empty file'],
  ['a web page', (path) => writeFile(path, '<html>'), 'it is a web page'],
  ['garbage', (path) => writeFile(path, Buffer.alloc(1000, 1)), 'it is of an unknown kind'],
  ['a cut Whisper', async (path) => truncate(path, 7_000_000), 'it ends or is damaged inside its weights'],
  [
    'a cut translation model',
    async (path) => {
      await copyFile(demoTranslatorPath, path)
      await truncate(path, 1_000_000)
    },
    'it ends inside its weights: it has 1000000 of at least',
  ],
  [
    'one network of several',
    (path) => copyFile(join(bundledModelsDir, 'vad', 'silero_vad_v5.onnx'), path),
    'it is a network in ONNX format. Give the folder it belongs to.',
  ],
])('%s is refused with its kind, and no files are left', async (_, spoil, sentence) => {
  const config = await storeConfig()
  const path = await speechFile('ours.bin')
  await spoil(path)
  await expect(importModel(path, {}, config)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining(`${path} cannot be imported: ${sentence}`),
  })
  expect(await visible(config)).toEqual([])
})

test('a folder without a model, and a missing path, are refused', async () => {
  const config = await storeConfig()
  const folder = await temporaryFolder()
  await expect(importModel(folder, {}, config)).rejects.toThrow(`no model in the folder ${folder}: it has no files`)
  await writeFile(join(folder, 'readme.md'), 'text')
  await expect(importModel(folder, {}, config)).rejects.toThrow('it has readme.md')
  await expect(importModel(join(folder, 'gone'), {}, config)).rejects.toMatchObject({ code: 'not_found' })
})

test.each([
  [{ id: '../x' }, 'is not a valid model id'],
  [{ id: 'choices.json' }, '"choices.json" cannot be the id of a model'],
  [{ languages: ['prs'] }, '"prs" is not a supported language of a speech model'],
  [{ languages: [] }, 'A model needs a language'],
])('invalid options are refused: %j', async (options, sentence) => {
  const config = await storeConfig()
  await expect(importModel(await speechFile(), options, config)).rejects.toThrow(sentence)
  expect(await visible(config)).toEqual([])
})

test('a model of the same id is not overwritten', async () => {
  const config = await storeConfig()
  await importModel(await speechFile('ours.bin'), {}, config)
  await expect(importModel(demoTranslatorPath, { id: 'ours' }, config)).rejects.toMatchObject({
    code: 'conflict',
    help: expect.stringContaining('models remove ours'),
  })
})

test('an import that is named like the file of a model of the catalogue leaves that name to it', async () => {
  const config = await storeConfig()
  const { model } = await importModel(await speechFile('ggml-base.bin'), {}, config)
  expect(model).toMatchObject({ id: 'ggml-base', file: 'ggml-base-imported.bin' })
  expect(await visible(config)).toEqual(['catalog.local.json', 'ggml-base-imported.bin'])
})

test('a file that belongs to no entry is not overwritten', async () => {
  const config = await storeConfig()
  const installed = join(config.modelsDir, 'ours.bin')
  await writeFile(installed, 'something else')
  await expect(importModel(await speechFile('ours.bin'), {}, config)).rejects.toMatchObject({
    code: 'conflict',
    message: `The model cannot be imported as "ours": ${installed} is there already.`,
  })
  expect(await readFile(installed, 'utf8')).toBe('something else')
})

test('a file named like a model of the catalogue gets its own id; with --id it takes that entry’s settings', async () => {
  const config = await storeConfig()
  const path = await speechFile('whisper-small-pashto-dropout.bin')
  expect((await importModel(path, {}, config)).model).toMatchObject({
    id: 'whisper-small-pashto-dropout-imported',
    errors: [],
  })
  expect((await importModel(path, { id: 'whisper-small-pashto-dropout' }, config)).model).toMatchObject({
    file: 'whisper-small-pashto-dropout.bin',
    licence: 'Apache-2.0',
    languages: ['ps'],
    errors: [{ language: 'ps', metric: 'wer' }],
  })
})

test('a folder with a CTC network for sherpa-onnx is imported with its tokens', async () => {
  const config = await storeConfig()
  const folder = join(await temporaryFolder(), 'sherpa-onnx-dolphin-tiny')
  await mkdir(folder)
  await copyFile(join(bundledModelsDir, 'vad', 'silero_vad_v5.onnx'), join(folder, 'model.int8.onnx'))
  await writeFile(join(folder, 'tokens.txt'), '<blk> 0\na 1\n')
  await writeFile(join(folder, 'test.wav'), 'sound')
  const { model } = await importModel(folder, {}, config)
  expect(model).toMatchObject({ languages: ['ps', 'ur', 'fa', 'ar'], sherpa: { family: 'dolphin', isInt8: true } })
  expect((await readdir(join(config.modelsDir, model.id))).toSorted()).toEqual(['model.int8.onnx', 'tokens.txt'])
  expect(model).toHaveProperty('sherpa.files.tokens.sha256', expect.stringMatching(/^[0-9a-f]{64}$/u))
})

test('a folder with Whisper in the ONNX format has the languages of its encoder, and beam search for Persian', async () => {
  const config = await storeConfig()
  const folder = join(await temporaryFolder(), 'whisper-tiny-onnx')
  const toy = join(import.meta.dirname, '..', '..', 'speech', 'onnx-whisper', 'testing', 'toy-whisper')
  await cp(toy, folder, { recursive: true, filter: (path) => !path.endsWith('sherpa') })
  const { model } = await importModel(folder, {}, config)
  expect(model).toMatchObject({
    languages: ['en', 'fa'],
    maxWindowMs: 30_000,
    languageDecoding: { fa: { beamSize: 5 } },
    sherpa: { family: 'whisper' },
  })
})

test.each(folderPackers)('a model in a %s archive is found inside it', async (extension, pack) => {
  const config = await storeConfig()
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'inner'))
  await copyFile(demoSpeechPath, join(folder, 'inner', 'ggml-model.bin'))
  const archive = join(await temporaryFolder(), `Our Model.${extension}`)
  await pack(archive, folder)
  const { model } = await importModel(archive, {}, config)
  expect(model).toMatchObject({ id: 'our-model', sizeBytes: 7_580_802 })
  expect(await visible(config)).toEqual(['catalog.local.json', 'our-model.bin'])
})

test.each([
  ['tar', (archive: string, ...names: string[]) => spawnSync('tar', ['-cPf', archive, ...names])],
  ['tar.gz', (archive: string, ...names: string[]) => spawnSync('tar', ['-cPzf', archive, ...names])],
])('a %s archive that is refused midway is closed, so that deleting it frees its space', async (extension, pack) => {
  const config = await storeConfig()
  const path = join(await temporaryFolder(), 'ours.bin')
  await writeFile(path, randomBytes(3_000_000))
  const archive = join(await temporaryFolder(), `a.${extension}`)
  expect(pack(archive, path).status).toBe(0)
  await expect(importModel(archive, {}, config)).rejects.toThrow('whose name leads out of its folder')
  await vi.waitFor(async () => expect(await openFiles()).not.toContain(archive))
})

test('a ZIP archive that is refused midway is closed', async () => {
  const config = await storeConfig()
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'aa_ours.bin'), randomBytes(3_000_000))
  const archive = join(folder, 'a.zip')
  await writeZip(archive, { 'aa_ours.bin': join(folder, 'aa_ours.bin') }, { isStored: true })
  const content = await readFile(archive)
  for (let at = content.indexOf('aa_'); at !== -1; at = content.indexOf('aa_', at)) content.write('../', at)
  await writeFile(archive, content)
  await expect(importModel(archive, {}, config)).rejects.toThrow('whose name leads out of its folder')
  await vi.waitFor(async () => expect(await openFiles()).not.toContain(archive))
})

/** Returns the paths of the files that this process has open. */
async function openFiles(): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd')
  return Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')))
}

test('an archive with paths outside its folder is refused, and nothing is written', async () => {
  const config = await storeConfig()
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'evil.bin'), 'x')
  const archive = join(folder, 'evil.tar')
  spawnSync('tar', ['-cPf', archive, '--transform', 's|^|../../|', '-C', folder, 'evil.bin'])
  await expect(importModel(archive, {}, config)).rejects.toThrow('whose name leads out of its folder: "../../evil.bin"')
  expect(await visible(config)).toEqual([])
})

test('links in an archive are skipped', async () => {
  const config = await storeConfig()
  const folder = await temporaryFolder()
  await copyFile(demoSpeechPath, join(folder, 'ours.bin'))
  await symlink('/etc', join(folder, 'link'))
  const archive = join(await temporaryFolder(), 'a.tar')
  spawnSync('tar', ['-cf', archive, '-C', folder, '.'])
  expect((await importModel(archive, {}, config)).model.id).toBe('a')
})

test('an archive with an excessive compression ratio is refused, and no files are left', async () => {
  const config = await storeConfig()
  const folder = await temporaryFolder()
  const archive = join(folder, 'bomb.zip')
  await writeFile(join(folder, 'zeros'), '')
  await truncate(join(folder, 'zeros'), 200_000_000)
  await writeZip(archive, { zeros: join(folder, 'zeros') })
  await expect(importModel(archive, {}, config)).rejects.toThrow('more than there is room for')
  expect(await visible(config)).toEqual([])
})

test('the next import deletes the unpack folder of a killed process, and keeps that of a running one', async () => {
  const config = await storeConfig()
  for (const name of ['.unpacked-1-1.partial', '.unpacked-2-2.partial', '.unpacked-3-3.partial']) {
    await mkdir(join(config.modelsDir, name, 'inner'), { recursive: true })
  }
  await writeFile(join(config.modelsDir, '.unpacked-2-2.partial.lock'), `${hostname()} 4194305`)
  await writeFile(join(config.modelsDir, '.unpacked-3-3.partial.lock'), `${hostname()} ${process.pid}`)
  await writeFile(join(config.modelsDir, '.unpacked-4-4.partial.lock'), `${hostname()} 4194305`)
  const archive = join(await temporaryFolder(), 'a.zip')
  await writeZip(archive, { 'a.bin': demoSpeechPath })
  await importModel(archive, {}, config)
  expect(await visible(config)).toEqual([
    '.unpacked-3-3.partial',
    '.unpacked-3-3.partial.lock',
    'a.bin',
    'catalog.local.json',
  ])
})

test('a damaged archive is refused', async () => {
  const config = await storeConfig()
  const archive = join(await temporaryFolder(), 'a.zip')
  await writeZip(archive, { 'a.bin': demoSpeechPath })
  await truncate(archive, 1_000_000)
  await expect(importModel(archive, {}, config)).rejects.toThrow(
    'it is damaged (End of central directory record signature not found',
  )
  expect(await visible(config)).toEqual([])
})

test('an abort leaves no files', async () => {
  const config = await storeConfig()
  const cancel = new AbortController()
  const importing = importModel(await speechFile(), {}, config, {
    signal: cancel.signal,
    onProgress: () => cancel.abort(),
  })
  await expect(importing).rejects.toMatchObject({ code: 'job_cancelled' })
  expect(await visible(config)).toEqual([])
})
