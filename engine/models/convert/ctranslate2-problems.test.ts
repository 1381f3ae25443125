import { copyFile, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeCTranslate2Folder } from '#testing/ctranslate2-folder.ts'
import { convertFaulty, lfsPointer, put, remove, errorWith } from '#testing/faulty-folder.ts'
import type { Damage } from '#testing/faulty-folder.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createWeights, multilingual, writeHuggingFaceFolder } from '#testing/whisper-folder.ts'

const weights = createWeights(multilingual)

describe('a CTranslate2 folder', () => {
  /** Overwrites bytes of model.bin after the first occurrence of a text. */
  const patch =
    (text: string, replacement: Buffer): Damage =>
    async (folder) => {
      const bytes = await readFile(join(folder, 'model.bin'))
      replacement.copy(bytes, bytes.indexOf(text))
      await writeFile(join(folder, 'model.bin'), bytes)
    }

  test.each<[string, Damage, string, RegExp]>([
    [
      'of another kind of model',
      patch('WhisperSpec', Buffer.from('Wav2Vec2CTC')),
      'FOLDER/model.bin holds a Wav2Vec2CTC of CTranslate2, not a Whisper.',
      /Import a speech model/,
    ],
    [
      'whose model.bin is something else',
      put('model.bin', 'RIFF of a recording'),
      'FOLDER/model.bin is no model.bin of CTranslate2, or of a version that is not known (1179011410 instead of 4 to 6).',
      /ct2-transformers-converter/,
    ],
    [
      'checked out without Git LFS',
      put('model.bin', lfsPointer),
      'The file FOLDER/model.bin is only a pointer of Git LFS, not the weights.',
      /git lfs pull/,
    ],
    [
      'whose model.bin is empty',
      put('model.bin', ''),
      'The file FOLDER/model.bin is damaged: it ends after 0 bytes.',
      /again/,
    ],
    [
      'cut inside a weight',
      (folder) => truncate(join(folder, 'model.bin'), 3000),
      'The file FOLDER/model.bin is damaged: it ends inside encoder/conv1/weight, after 3000 bytes.',
      /Download it again/,
    ],
    [
      'with a variable of another name',
      patch('decoder/layer_norm/gamma', Buffer.from('decoder/layer_norm/gummy')),
      'The file FOLDER/model.bin is damaged: it has no variable decoder/layer_norm/gamma.',
      /Download it again/,
    ],
    [
      'without a vocabulary',
      remove('vocabulary.json'),
      'There is no vocabulary in FOLDER.',
      /Put vocab\.json or .* there/,
    ],
    [
      'with the vocabulary of an English-only model',
      async (folder) => {
        const other = await temporaryFolder()
        await writeHuggingFaceFolder(other, { ...multilingual, vocabulary: 51_864 })
        await rm(join(folder, 'vocabulary.json'))
        await copyFile(join(other, 'vocab.json'), join(folder, 'vocab.json'))
      },
      'The vocabulary FOLDER/vocab.json has 50256 words, but a Whisper of 51865 tokens has 50257.',
      /belongs to another model/,
    ],
  ])('%s is refused with what was found and what to do', async (_, damage, message, help) => {
    const folder = await temporaryFolder()
    await writeCTranslate2Folder(folder, multilingual, { weights })
    await damage(folder)
    expect(await convertFaulty(folder)).toMatchObject(errorWith(folder, message, help))
  })

  test('of integers without scales is refused', async () => {
    const folder = await temporaryFolder()
    await writeCTranslate2Folder(folder, multilingual, { weights, quantization: 'int8' })
    await patch('encoder/conv2/weight_scale', Buffer.from('encoder/conv2/weight_skill'))(folder)
    const message = 'The integers of encoder/conv2/weight in FOLDER/model.bin have no scales that fit.'
    expect(await convertFaulty(folder)).toMatchObject(errorWith(folder, message, /--quantization float16/))
  })
})
