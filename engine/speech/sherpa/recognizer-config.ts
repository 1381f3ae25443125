import { dirname } from 'node:path'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import type { SherpaEngineFamily } from '#engine/models/sherpa-families.ts'

interface RecognizerSettings {
  family: SherpaEngineFamily
  /** Paths by role. */
  files: Record<string, string>
  threads: number
  /** ISO 639-1 code; empty lets the model decide where it can. */
  language: string
}

/** OfflineRecognizerConfig of sherpa-onnx, as its Node addon reads it. */
export interface RecognizerConfig {
  featConfig: { sampleRate: number; featureDim: number }
  modelConfig: object
  decodingMethod: 'greedy_search'
}

/** The longest text of a window of 30 s, and the prompt that the language model needs around it. */
const qwenLimits = { maxTotalLen: 1024, maxNewTokens: 448 }
const senseVoiceLanguages = new Set(['zh', 'en', 'ja', 'ko', 'yue'])
const canaryLanguages = new Set(['en', 'de', 'es', 'fr'])

/** Returns the configuration of sherpa-onnx for a model. Calls can change the language with OfflineRecognizer.setConfig. */
export function recognizerConfig({ family, files, threads, language }: RecognizerSettings): RecognizerConfig {
  return {
    featConfig: { sampleRate, featureDim: 80 },
    modelConfig: {
      ...familyConfig(family, files, language),
      ...(files.tokens !== undefined && { tokens: files.tokens }),
      numThreads: threads,
      provider: 'cpu',
      debug: 0,
    },
    decodingMethod: 'greedy_search',
  }
}

/** Returns the options of a single call: Cohere Transcribe takes the language here, and ignores a changed configuration. */
export function streamOptions(
  family: SherpaEngineFamily,
  { language, hotwords = '' }: { language: string; hotwords?: string | undefined },
): Record<string, string> {
  return {
    ...(hotwords !== '' && { hotwords }),
    ...(family === 'cohere-transcribe' && language !== '' && { language }),
  }
}

function familyConfig(family: SherpaEngineFamily, files: Record<string, string>, language: string): object {
  const { encoder, decoder, joiner, model, convFrontend, vocab = '' } = files
  switch (family) {
    case 'omnilingual':
      return { omnilingual: { model } }
    case 'dolphin':
      return { dolphin: { model } }
    case 'qwen3-asr':
      return { qwen3Asr: { convFrontend, encoder, decoder, tokenizer: dirname(vocab), temperature: 0, ...qwenLimits } }
    case 'sense-voice':
      return {
        senseVoice: {
          model,
          language: senseVoiceLanguages.has(language) ? language : 'auto',
          useInverseTextNormalization: 1,
        },
      }
    case 'nemo-ctc':
      return { nemoCtc: { model } }
    case 'transducer':
      return { transducer: { encoder, decoder, joiner } }
    case 'canary': {
      const spoken = canaryLanguages.has(language) ? language : 'en'
      return { canary: { encoder, decoder, srcLang: spoken, tgtLang: spoken, usePnc: 1 } }
    }
    case 'cohere-transcribe':
      return { cohereTranscribe: { encoder, decoder, language: 'en', usePunct: 1, useItn: 1 } }
  }
}
