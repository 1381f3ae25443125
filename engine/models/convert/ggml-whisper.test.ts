import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readGgmlContents, toFloats } from '#testing/ggml-contents.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createWeights, multilingual, writeHuggingFaceFolder } from '#testing/whisper-folder.ts'
import { quantizeWhisper } from '../quantize-ggml.ts'
import { convertWhisper, openHuggingFaceWhisper } from './convert-whisper.ts'
import { openGgmlWhisper } from './ggml-whisper.ts'
import { writeOnnxWhisper } from './onnx/write-onnx-whisper.ts'

const weights = createWeights(multilingual)

/** Returns a folder with the small model as `hf` and as `f16.bin`. */
async function writeSmall(): Promise<string> {
  const folder = await temporaryFolder()
  await writeHuggingFaceFolder(join(folder, 'hf'), multilingual, { weights, format: 'F16' })
  await convertWhisper(join(folder, 'hf'), join(folder, 'f16.bin'))
  return folder
}

/** Rewrites a file of half-precision floats as single-precision ones. */
async function widen(from: string, to: string): Promise<void> {
  const { tensors } = await readGgmlContents(from)
  const bytes = await readFile(from)
  const weightBytes = [...tensors].reduce(
    (sum, [name, { dims, data }]) => sum + 12 + dims.length * 4 + name.length + data.length,
    0,
  )
  const parts = [...tensors].flatMap(([name, { type, dims, data }]) => [
    Buffer.from(Int32Array.from([dims.length, name.length, 0, ...dims]).buffer),
    Buffer.from(name),
    Buffer.from(toFloats(data, type).buffer),
  ])
  await writeFile(to, Buffer.concat([bytes.subarray(0, bytes.length - weightBytes), ...parts]))
}

describe('openGgmlWhisper', () => {
  test.each(['f16', 'f32'])(
    'a file of %s has the words and weights of the folder that it was made from',
    async (format) => {
      const folder = await writeSmall()
      await widen(join(folder, 'f16.bin'), join(folder, 'f32.bin'))
      const [source, expected] = [
        await openGgmlWhisper(join(folder, `${format}.bin`)),
        await openHuggingFaceWhisper(join(folder, 'hf')),
      ]
      expect(source).toMatchObject({ sizes: expected.sizes, alignmentHeads: expected.alignmentHeads })
      expect(source.words).toEqual(expected.words)
      await writeOnnxWhisper(source, join(folder, 'written'))
      await writeOnnxWhisper(expected, join(folder, 'expected'))
      for (const name of ['encoder.int8.onnx', 'decoder.int8.onnx', 'tokens.txt']) {
        const [written, wanted] = [
          await readFile(join(folder, 'written', name)),
          await readFile(join(folder, 'expected', name)),
        ]
        expect([name, written.equals(wanted)]).toEqual([name, true])
      }
    },
  )

  test('a quantized file is refused', async () => {
    const folder = await writeSmall()
    await quantizeWhisper(join(folder, 'f16.bin'), join(folder, 'q8.bin'))
    await expect(openGgmlWhisper(join(folder, 'q8.bin'))).rejects.toMatchObject({
      code: 'model_unavailable',
      message: `The weights in ${join(folder, 'q8.bin')} are quantized; only those of f16 and f32 files can be written in another format.`,
    })
  })

  test('a file that ends early is refused', async () => {
    const folder = await writeSmall()
    await truncate(join(folder, 'f16.bin'), 3_000_000)
    await expect(openGgmlWhisper(join(folder, 'f16.bin'))).rejects.toMatchObject({
      message: expect.stringContaining('it ends or is damaged inside its weights'),
    })
  })
})
