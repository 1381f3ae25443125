import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { mountSmallDisk } from '#testing/small-disk.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createWeights, multilingual, writeHuggingFaceFolder, type SmallWhisper } from '#testing/whisper-folder.ts'
import { openHuggingFaceWhisper } from '../convert-whisper.ts'
import { readOnnx } from '../../onnx-file.ts'
import { writeOnnxWhisper } from './write-onnx-whisper.ts'

async function openSmall(whisper: SmallWhisper = multilingual, weights = createWeights(whisper)) {
  const folder = await temporaryFolder()
  await writeHuggingFaceFolder(folder, whisper, { weights, format: 'F16' })
  return openHuggingFaceWhisper(folder)
}

async function readMetadata(path: string): Promise<Record<string, string>> {
  const read = await readOnnx(path)
  if ('problem' in read) throw new Error(read.problem)
  return Object.fromEntries(read.metadata)
}

const specialTokens = ['eot', 'sot', 'translate', 'transcribe', 'sot_lm', 'sot_prev', 'no_speech', 'no_timestamps']

describe('writeOnnxWhisper', () => {
  // The numbers are those of OpenAI's tokenizers for each size of vocabulary.
  test.each<[string, SmallWhisper, number[], Record<string, string>]>([
    [
      'multilingual',
      multilingual,
      [50_257, 50_258, 50_358, 50_359, 50_360, 50_361, 50_362, 50_363],
      {
        is_multilingual: '1',
        blank_id: '220',
        n_mels: '80',
        all_language_codes: 'ps,en,ur,hi,fa,ar',
        all_language_tokens: '50340,50259,50290,50276,50300,50272',
      },
    ],
    [
      'large-v3',
      { vocabulary: 51_866, melBands: 128, audioLayers: 1, textLayers: 1 },
      [50_257, 50_258, 50_359, 50_360, 50_361, 50_362, 50_363, 50_364],
      { is_multilingual: '1', n_mels: '128' },
    ],
    [
      'English-only',
      { vocabulary: 51_864, melBands: 80, audioLayers: 1, textLayers: 1 },
      [50_256, 50_257, 50_357, 50_358, 50_359, 50_360, 50_361, 50_362],
      { is_multilingual: '0', all_language_codes: '' },
    ],
  ])('writes the special tokens of a vocabulary: %s', async (_, whisper, tokens, expected) => {
    const out = join(await temporaryFolder(), 'onnx')
    await writeOnnxWhisper(await openSmall(whisper), out)
    expect(await readMetadata(join(out, 'encoder.int8.onnx'))).toMatchObject({
      model_type: 'whisper',
      ...Object.fromEntries(specialTokens.map((name, index) => [name, String(tokens[index])])),
      ...expected,
    })
    expect(await readOnnx(join(out, 'decoder.int8.onnx'))).not.toHaveProperty('problem')
  })

  test('writes tokens as base64 with their numbers, without empty ones', async () => {
    const out = join(await temporaryFolder(), 'onnx')
    await writeOnnxWhisper(await openSmall(), out)
    const lines = (await readFile(join(out, 'tokens.txt'), 'utf8')).trimEnd().split('\n')
    expect(lines).toHaveLength(50_256)
    expect(lines[0]).toBe(`${Buffer.from('!').toString('base64')} 0`)
    expect(lines[1]).toBe(`${Buffer.from(' 1\nم').toString('base64')} 1`)
  })

  test('reports the bytes of weights written, up to the total', async () => {
    const out = join(await temporaryFolder(), 'onnx')
    const onProgress = vi.fn<(progress: { done: number; total: number }) => void>()
    await writeOnnxWhisper(await openSmall(), out, { onProgress })
    const { done, total } = onProgress.mock.calls.at(-1)?.[0] ?? { done: 0, total: 1 }
    expect(done).toBe(total)
    const sizes = await Promise.all((await readdir(out)).map(async (name) => (await stat(join(out, name))).size))
    const bytes = sizes.reduce((sum, size) => sum + size, 0) - (await stat(join(out, 'tokens.txt'))).size
    expect(bytes - total).toBeGreaterThan(0)
    expect(bytes - total).toBeLessThan(50_000)
  })

  test('leaves no files when cancelled', async () => {
    const folder = await temporaryFolder()
    const controller = new AbortController()
    const writing = writeOnnxWhisper(await openSmall(), join(folder, 'onnx'), {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    })
    await expect(writing).rejects.toMatchObject({ code: 'job_cancelled' })
    expect(await readdir(folder)).toEqual([])
  })

  test('replaces what an interrupted run left', async () => {
    const out = join(await temporaryFolder(), 'onnx')
    await mkdir(`${out}.partial`)
    await writeFile(join(`${out}.partial`, 'left.txt'), 'half')
    await writeOnnxWhisper(await openSmall(), out)
    expect((await readdir(out)).toSorted()).toEqual(['decoder.int8.onnx', 'encoder.int8.onnx', 'tokens.txt'])
  })

  test('refuses before writing where the disk is too small', async ({ skip }) => {
    const folder = await temporaryFolder()
    if (!mountSmallDisk(folder, '2m')) skip()
    await expect(writeOnnxWhisper(await openSmall(), join(folder, 'onnx'))).rejects.toMatchObject({ code: 'disk_full' })
    expect(await readdir(folder)).toEqual([])
  })

  test('names the weight that holds a number that is not finite', async () => {
    const weights = createWeights(multilingual)
    weights.get('model.encoder.conv2.weight')?.values.fill(Number.NaN, 5, 6)
    const out = join(await temporaryFolder(), 'onnx')
    await expect(writeOnnxWhisper(await openSmall(multilingual, weights), out)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining('conv2.weight holds a number that is not finite'),
    })
  })
})
