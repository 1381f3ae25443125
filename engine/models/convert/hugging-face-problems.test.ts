import { mkdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { convertFaulty, lfsPointer, put, putJson, remove, errorWith } from '#testing/faulty-folder.ts'
import type { Damage } from '#testing/faulty-folder.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import {
  createConfig,
  createWeights,
  encodeSafetensors,
  encodeShards,
  multilingual,
  smallSizes,
  writeHuggingFaceFolder,
} from '#testing/whisper-folder.ts'

const weights = createWeights(multilingual)
const config = createConfig(multilingual)
const whole = encodeSafetensors(weights, 'F16')

/** The weights with one of them changed. */
function withTensor(name: string, change: { shape: number[]; fill: number } | undefined): Buffer {
  const changed = new Map(weights)
  if (!change) changed.delete(name)
  else {
    const count = change.shape.reduce((product, size) => product * size, 1)
    changed.set(name, { shape: change.shape, values: new Float32Array(count).fill(change.fill) })
  }
  return encodeSafetensors(changed)
}

describe('a Hugging Face folder', () => {
  test.each<[string, Damage, string, RegExp]>([
    ['without config.json', remove('config.json'), 'There is no FOLDER/config.json.', /Download config\.json/],
    [
      'of another kind of model',
      putJson('config.json', { model_type: 'bert', vocab_size: 30_522 }),
      'FOLDER/config.json describes a model of the type bert; only Whisper can be converted.',
      /ONNX.*GGUF/,
    ],
    [
      'whose config.json is not JSON',
      put('config.json', '<!doctype html>'),
      'The file FOLDER/config.json is damaged: it is not JSON.',
      /Download it again/,
    ],
    [
      'whose config.json lacks a size',
      putJson('config.json', { ...config, d_model: undefined }),
      'The file FOLDER/config.json is damaged: d_model is missing or is not a positive whole number.',
      /Download it again/,
    ],
    [
      'of more layers than memory could list',
      putJson('config.json', { ...config, encoder_layers: 4_000_000_000 }),
      'The model in FOLDER has 4000000000 layers, where a Whisper has 100 at most.',
      /check that this is one/,
    ],
    [
      'without weights',
      remove('model.safetensors'),
      'There is no model.safetensors in FOLDER.',
      /Download model\.safetensors/,
    ],
    [
      'with weights as a pickle',
      async (folder) => {
        await remove('model.safetensors')(folder)
        await put('pytorch_model.bin', 'PK')(folder)
      },
      'There is no model.safetensors in FOLDER.',
      /pytorch_model\.bin is not read, because such a file can run code/,
    ],
    [
      'with an adapter only',
      async (folder) => {
        await remove('model.safetensors')(folder)
        await put('adapter_model.safetensors', whole)(folder)
      },
      'The folder FOLDER holds only an adapter (LoRA), adapter_model.safetensors, not a whole model.',
      /merge_and_unload/,
    ],
    [
      'with empty weights',
      put('model.safetensors', ''),
      'The file FOLDER/model.safetensors is damaged: it has only 0 bytes.',
      /Download it again/,
    ],
    [
      'checked out without Git LFS',
      put('model.safetensors', lfsPointer),
      'The file FOLDER/model.safetensors is only a pointer of Git LFS, not the weights.',
      /git lfs pull/,
    ],
    [
      'whose weights are a page of text',
      put('model.safetensors', '<!doctype html><title>Sign in</title>'),
      'The file FOLDER/model.safetensors is damaged: it has no header of the format safetensors.',
      /Download it again/,
    ],
    [
      'cut inside the header',
      (folder) => truncate(join(folder, 'model.safetensors'), 1000),
      `The file FOLDER/model.safetensors is damaged: its header should have ${whole.readUInt32LE()} bytes, but the whole file has 1000.`,
      /Download it again/,
    ],
    [
      'whose header is no header',
      put('model.safetensors', Buffer.concat([Buffer.of(4, 0, 0, 0, 0, 0, 0, 0), Buffer.from('[1,]xxxx')])),
      'The file FOLDER/model.safetensors is damaged: it has no header of the format safetensors.',
      /Download it again/,
    ],
    [
      'cut inside a weight',
      (folder) => truncate(join(folder, 'model.safetensors'), whole.length - 1),
      `The file FOLDER/model.safetensors is damaged: it ends inside model.decoder.layers.0.final_layer_norm.bias, after ${whole.length - 1} bytes.`,
      /Download it again/,
    ],
    [
      'without one of its tensors',
      put('model.safetensors', withTensor('model.encoder.layers.0.fc1.bias', undefined)),
      'The weights in FOLDER have no tensor model.encoder.layers.0.fc1.bias, which config.json asks for.',
      /download the whole folder again/,
    ],
    [
      'with a tensor of another shape',
      put('model.safetensors', withTensor('model.encoder.conv1.weight', { shape: [64, 128, 3], fill: 1 })),
      'The tensor model.encoder.conv1.weight in FOLDER/model.safetensors is 64 x 128 x 3 where this model needs 64 x 80 x 3.',
      /different models/,
    ],
    [
      'with a weight that is no number',
      put('model.safetensors', withTensor('model.decoder.layer_norm.bias', { shape: [64], fill: Number.NaN })),
      'The file FOLDER/model.safetensors is damaged: model.decoder.layer_norm.bias holds a number that is not finite or too large for 16 bits.',
      /Download it again/,
    ],
    [
      'with weights that only a quantizer reads',
      put('model.safetensors', Buffer.from(whole.toString('latin1').replaceAll('"F16"', '"I16"'), 'latin1')),
      'The tensor model.encoder.conv1.weight in FOLDER/model.safetensors is stored as I16; only F32, F16 and BF16 can be converted.',
      /not a quantized copy/,
    ],
    [
      'whose vocabulary is far too large',
      (folder) => truncate(join(folder, 'vocab.json'), 65 * 1024 * 1024),
      'The file FOLDER/vocab.json cannot be read: it has 68157440 bytes, and a text file of a model has at most 67108864.',
      /Compare its size/,
    ],
    [
      'whose config.json is far too large',
      (folder) => truncate(join(folder, 'config.json'), 65 * 1024 * 1024),
      'The file FOLDER/config.json cannot be read: it has 68157440 bytes, and a text file of a model has at most 67108864.',
      /Compare its size/,
    ],
    ['without a vocabulary', remove('vocab.json'), 'There is no vocabulary in FOLDER.', /Put vocab\.json or .* there/],
    [
      'with the vocabulary of another model',
      putJson('vocab.json', { '!': 0, '"': 1, '<|endoftext|>': 2 }),
      'The vocabulary FOLDER/vocab.json has 2 words, but a Whisper of 51865 tokens has 50257.',
      /belongs to another model/,
    ],
    [
      'with more tokens than a Whisper',
      async (folder) => {
        await putJson('config.json', { ...config, vocab_size: 51_900 })(folder)
        const { state } = smallSizes
        await put(
          'model.safetensors',
          withTensor('model.decoder.embed_tokens.weight', { shape: [51_900, state], fill: 0 }),
        )(folder)
      },
      'The model in FOLDER has 51900 tokens, where a Whisper has 51864, 51865, 51866.',
      /OpenAI’s Whisper/,
    ],
  ])('%s is refused with what was found and what to do', async (_, damage, message, help) => {
    const folder = await temporaryFolder()
    await writeHuggingFaceFolder(folder, multilingual, { weights, format: 'F16' })
    await damage(folder)
    expect(await convertFaulty(folder)).toMatchObject(errorWith(folder, message, help))
  })

  test.each<[string, Damage, string, RegExp]>([
    [
      'that lacks one of them',
      remove('model-00002-of-00002.safetensors'),
      'model-00002-of-00002.safetensors is missing in FOLDER; model.safetensors.index.json names it.',
      /Download model-00002-of-00002/,
    ],
    [
      'whose index leads out of the folder',
      putJson('model.safetensors.index.json', { weight_map: { weight: '../secret.safetensors' } }),
      'The file FOLDER/model.safetensors.index.json is damaged: it names ../secret.safetensors, which is no file of this folder.',
      /Download it again/,
    ],
    [
      'whose index is none',
      putJson('model.safetensors.index.json', []),
      'The file FOLDER/model.safetensors.index.json is damaged: it is not the index of a model in shards.',
      /Download it again/,
    ],
  ])('of shards %s is refused', async (_, damage, message, help) => {
    const folder = await temporaryFolder()
    await writeHuggingFaceFolder(folder, multilingual, { weights })
    await rm(join(folder, 'model.safetensors'))
    for (const [name, bytes] of Object.entries(encodeShards(weights))) await writeFile(join(folder, name), bytes)
    await damage(folder)
    expect(await convertFaulty(folder)).toMatchObject(errorWith(folder, message, help))
  })
})

test('a folder of neither kind is refused with the files that it needs', async () => {
  const folder = join(await temporaryFolder(), 'voices')
  await mkdir(folder)
  await writeFile(join(folder, 'call.wav'), 'RIFF')
  const message = 'There is no Whisper in FOLDER that could be converted.'
  expect(await convertFaulty(folder)).toMatchObject(
    errorWith(folder, message, /config\.json, model\.safetensors, vocab\.json/),
  )
})
