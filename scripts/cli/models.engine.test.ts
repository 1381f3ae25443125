import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import { cpuDevice, findThisProcessor, saveMeasurement } from '#engine/models/measurements.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { run } from './models.ts'

/** Returns the lines that a command prints, run with this models folder. */
async function print(modelsDir: string, ...args: string[]): Promise<string> {
  vi.stubEnv('MODELS_DIR', modelsDir)
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    log.mockRestore()
  })
  await run(args)
  const text = log.mock.calls.map(([line]) => String(line)).join('\n')
  log.mockClear()
  return text
}

test('verify transcribes a sample and stores its cost, which list shows', async () => {
  const modelsDir = await temporaryFolder()
  const printed = await print(modelsDir, 'verify', 'demo-speech')
  expect(printed).toMatch(/Awaz demo speech model works:\n +engine +whisper\.cpp .*\n +device +CPU, one thread/u)
  expect(printed).toMatch(/peak memory +[1-9]\d+ MB/u)
  expect(printed).not.toContain('(none)')
  expect(JSON.parse(await readFile(join(modelsDir, 'measured.json'), 'utf8'))).toMatchObject({
    'demo-speech': { engine: expect.stringContaining('whisper.cpp'), cpuSPerS: expect.any(Number) },
  })
  expect(await print(modelsDir, 'list')).toMatch(/demo-speech[^]*?CPU s a second of sound, \d+\.\d MB of memory/u)
})

test('verify translates a sample and prints its speed', async () => {
  const modelsDir = await temporaryFolder()
  const printed = await print(modelsDir, 'verify', 'demo-translator')
  expect(printed).toMatch(/speed +[\d.]+ tokens a second/u)
  expect(printed).toMatch(/text +hello my (?:friend|brother)/iu)
  expect(JSON.parse(await readFile(join(modelsDir, 'measured.json'), 'utf8'))).toMatchObject({
    'demo-translator': { tokensPerS: expect.any(Number), realTimeFactor: null },
  })
})

test('verify warns of a translation model whose file has no chat template', async () => {
  const modelsDir = await temporaryFolder()
  const source = join(await temporaryFolder(), 'base.gguf')
  const content = await readFile(join(bundledModelsDir, 'demo', 'demo-translator-f16.gguf'))
  content.write('tokenizer.chat_xemplate', content.indexOf('tokenizer.chat_template'))
  await writeFile(source, content)
  await print(modelsDir, 'import', source, '--id', 'ours')
  const catalog = join(modelsDir, 'catalog.local.json')
  await writeFile(catalog, (await readFile(catalog, 'utf8')).replace('"completion"', '"plain"'))
  const warning = /warning +The file of the model .* was guessed\. Give its entry/u
  expect(await print(modelsDir, 'verify', 'ours')).toMatch(warning)
  expect(await print(modelsDir, 'verify', 'demo-translator')).not.toContain('warning')
})

const hasVulkanBuild = existsSync(join(import.meta.dirname, '../../node_modules/@node-llama-cpp/linux-x64-vulkan'))

test.runIf(hasVulkanBuild)('verify uses the configured GPU', async () => {
  vi.stubEnv('TRANSLATION_GPU', 'vulkan')
  expect(await print(await temporaryFolder(), 'verify', 'demo-translator')).toMatch(/device +GPU \(vulkan\)/u)
})

test.skipIf(hasVulkanBuild)('verify says what to install for the configured GPU', async () => {
  vi.stubEnv('TRANSLATION_GPU', 'vulkan')
  await expect(print(await temporaryFolder(), 'verify', 'demo-translator')).rejects.toMatchObject({
    code: 'model_unavailable',
    help: expect.stringContaining('gpu install vulkan'),
  })
})

test('verify reports that a model is not installed', async () => {
  const modelsDir = await temporaryFolder()
  await expect(print(modelsDir, 'verify', 'whisper-base')).rejects.toMatchObject({
    code: 'model_unavailable',
    message: 'The model Whisper base is not installed.',
  })
})

test('list marks untried models', async () => {
  const modelsDir = await temporaryFolder()
  await writeFile(
    join(modelsDir, 'catalog.local.json'),
    JSON.stringify({
      models: [
        {
          kind: 'speech',
          id: 'ours',
          name: 'Ours',
          file: 'ours',
          url: null,
          sizeBytes: null,
          sha256: null,
          sha1: null,
          licence: 'MIT',
          languages: ['ps'],
          isUntried: true,
          sherpa: { family: 'dolphin', files: { model: { name: 'model.onnx' }, tokens: { name: 'tokens.txt' } } },
        },
      ],
    }),
  )
  expect(await print(modelsDir, 'list')).toContain('sherpa-onnx (dolphin) · untried')
})

test('a model is imported, used at once, listed with its uses, and removed when it has none', async () => {
  const modelsDir = await temporaryFolder()
  const source = join(bundledModelsDir, 'demo', 'demo-speech-q8_0.bin')
  const imported = await print(modelsDir, 'import', source, '--id', 'ours', '--name', 'Ours', '--languages', 'fa,en')
  expect(imported).toContain('Use it: npm run awaz -- models use ours')
  expect(imported).toContain('It is used for Persian, English from the next job on')
  expect(imported).toContain('It was not written for onnxruntime too')
  await print(modelsDir, 'use', 'demo-speech', '--language', 'en')
  expect(await print(modelsDir, 'list', 'ours')).toMatch(/^✓ ours +Ours\n.*languages fa en.*\n +in use for fa\n/u)
  await expect(print(modelsDir, 'remove', 'ours')).rejects.toThrow('it serves Persian')
  await print(modelsDir, 'use', 'demo-speech', '--language', 'fa')
  expect(await print(modelsDir, 'remove', 'ours')).toBe('Ours is removed.')
})

test('recommend names a model for each language, and tells what it takes once a Whisper was tried here', async () => {
  const modelsDir = await temporaryFolder()
  const untried = await print(modelsDir, 'recommend')
  expect(untried).toContain('models pull whisper-base')
  expect(untried).toContain('English: Whisper large-v3, word error rate 4.1% (FLEURS).')
  await saveMeasurement(modelsDir, 'whisper-base', {
    engine: 'whisper.cpp',
    processor: findThisProcessor(),
    measuredAt: '2026-11-26T00:00:00.000Z',
    loadS: 1,
    device: cpuDevice,
    realTimeFactor: 1,
    // At this speed Whisper large would need more processors than any host has.
    cpuSPerS: 1000,
    tokensPerS: null,
    peakMemoryBytes: 4e8,
    words: 30,
  })
  const tried = await print(modelsDir, 'recommend')
  expect(tried).toMatch(/^ {2}whisper-base +60000 min +400 MB/mu)
  expect(tried).toContain('English: no model that runs here was measured.')
})

test('list reports wrong files and wrong entries, each with what was found', async () => {
  const modelsDir = await temporaryFolder()
  await writeFile(join(modelsDir, 'ggml-tiny.bin'), 'not a model')
  await writeFile(join(modelsDir, 'catalog.local.json'), '{"models": [{"id": "mine", "kind": "speech"}]}')
  const warn = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => warn.mockRestore())
  expect(await print(modelsDir, 'list')).toMatch(
    /✗ whisper-tiny [^✓✗]*cannot be used: .*ggml-tiny\.bin .*it is a text file/u,
  )
  expect(warn.mock.calls.join('\n')).toMatch(
    /Warning: The entry "mine" of .*catalog\.local\.json is not valid: name: /u,
  )
})

test('a closed output pipe ends the command silently', () => {
  const awaz = `"${process.execPath}" scripts/awaz.ts models list`
  const { stdout, stderr } = spawnSync('bash', ['-c', `${awaz} | head -1; exit \${PIPESTATUS[0]}`], {
    encoding: 'utf8',
  })
  expect(stdout.split('\n')).toHaveLength(2)
  expect(stderr).toBe('')
})
