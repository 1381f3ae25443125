import { expect, test } from 'vitest'
import { sherpaEngineFamilies, sherpaFamilies } from '#engine/models/sherpa-families.ts'
import type { SherpaEngineFamily } from '#engine/models/sherpa-families.ts'
import { recognizerConfig, streamOptions } from './recognizer-config.ts'

function configOf(family: SherpaEngineFamily, language = 'fa') {
  const files = Object.fromEntries(sherpaFamilies[family].roles.map((role) => [role, `/models/m/${role}.onnx`]))
  return recognizerConfig({ family, files, threads: 2, language })
}

const common = { numThreads: 2, provider: 'cpu', debug: 0 }

test.each<[SherpaEngineFamily, object]>([
  ['omnilingual', { omnilingual: { model: '/models/m/model.onnx' }, tokens: '/models/m/tokens.onnx' }],
  ['dolphin', { dolphin: { model: '/models/m/model.onnx' }, tokens: '/models/m/tokens.onnx' }],
  [
    'qwen3-asr',
    {
      qwen3Asr: {
        convFrontend: '/models/m/convFrontend.onnx',
        encoder: '/models/m/encoder.onnx',
        decoder: '/models/m/decoder.onnx',
        tokenizer: '/models/m',
        temperature: 0,
        maxTotalLen: 1024,
        maxNewTokens: 448,
      },
    },
  ],
  [
    'sense-voice',
    {
      senseVoice: { model: '/models/m/model.onnx', language: 'auto', useInverseTextNormalization: 1 },
      tokens: '/models/m/tokens.onnx',
    },
  ],
  ['nemo-ctc', { nemoCtc: { model: '/models/m/model.onnx' }, tokens: '/models/m/tokens.onnx' }],
  [
    'transducer',
    {
      transducer: {
        encoder: '/models/m/encoder.onnx',
        decoder: '/models/m/decoder.onnx',
        joiner: '/models/m/joiner.onnx',
      },
      tokens: '/models/m/tokens.onnx',
    },
  ],
  [
    'canary',
    {
      canary: {
        encoder: '/models/m/encoder.onnx',
        decoder: '/models/m/decoder.onnx',
        srcLang: 'en',
        tgtLang: 'en',
        usePnc: 1,
      },
      tokens: '/models/m/tokens.onnx',
    },
  ],
  [
    'cohere-transcribe',
    {
      cohereTranscribe: {
        encoder: '/models/m/encoder.onnx',
        decoder: '/models/m/decoder.onnx',
        language: 'en',
        usePunct: 1,
        useItn: 1,
      },
      tokens: '/models/m/tokens.onnx',
    },
  ],
])('the family %s', (family, modelConfig) => {
  expect(configOf(family)).toEqual({
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: { ...modelConfig, ...common },
    decodingMethod: 'greedy_search',
  })
})

test('every family has a configuration', () => {
  for (const family of sherpaEngineFamilies) expect(Object.keys(configOf(family).modelConfig).length).toBeGreaterThan(3)
})

test('SenseVoice gets the language if it supports it', () => {
  expect(configOf('sense-voice', 'en').modelConfig).toMatchObject({ senseVoice: { language: 'en' } })
})

test('Canary writes in the language that is spoken', () => {
  expect(configOf('canary', 'fr').modelConfig).toMatchObject({ canary: { srcLang: 'fr', tgtLang: 'fr' } })
})

test('names and the language are options of a call where the family takes them there', () => {
  expect(streamOptions('cohere-transcribe', { language: 'ar' })).toEqual({ language: 'ar' })
  expect(streamOptions('qwen3-asr', { language: 'fa', hotwords: 'Kabul' })).toEqual({ hotwords: 'Kabul' })
  expect(streamOptions('dolphin', { language: 'fa', hotwords: '' })).toEqual({})
})
