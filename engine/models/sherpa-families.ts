/** The families that the sherpa-onnx engine runs. */
export const sherpaEngineFamilies = [
  'omnilingual',
  'dolphin',
  'qwen3-asr',
  'sense-voice',
  'nemo-ctc',
  'transducer',
  'canary',
  'cohere-transcribe',
] as const
export type SherpaEngineFamily = (typeof sherpaEngineFamilies)[number]

export const sherpaFamilyNames = ['whisper', ...sherpaEngineFamilies] as const
export type SherpaFamilyName = (typeof sherpaFamilyNames)[number]

interface SherpaFamily {
  /** The required files of a model, by role. An entry may name more, such as the external weights of an ONNX file. */
  roles: readonly string[]
  /** Whether a model detects the language. */
  hasLanguageDetection: boolean
  /** Whether a model takes a prompt, such as names. */
  hasPrompt: boolean
  /** Whether a model reports when each word was spoken. */
  hasWordTimes: boolean
  /** The `model_type` in the encoder's metadata, and what such a model is called; undefined if the field is not required. */
  encoder?: { type: RegExp; name: string }
  /** Whether models of the family support different languages, which their files do not name. */
  needsLanguages?: boolean
}

const ctc = { roles: ['model', 'tokens'], hasLanguageDetection: false, hasPrompt: false, hasWordTimes: true }
const encoderAndDecoder = {
  roles: ['encoder', 'decoder', 'tokens'],
  hasLanguageDetection: false,
  hasPrompt: false,
  hasWordTimes: false,
}

/**
 * The kinds of networks whose files come in the formats of sherpa-onnx. sherpa-onnx runs all except Whisper, which our own decoder
 * (engine/speech/onnx-whisper) runs on onnxruntime; recognizer-config.ts configures each of the others.
 */
export const sherpaFamilies: Record<SherpaFamilyName, SherpaFamily> = {
  /** OpenAI's Whisper and its fine-tunes. */
  whisper: {
    ...encoderAndDecoder,
    hasLanguageDetection: true,
    hasPrompt: true,
    hasWordTimes: true,
    encoder: { type: /^whisper/u, name: 'a Whisper model' },
  },
  /** The CTC models of Meta's Omnilingual ASR: over 1,600 languages, without language detection. */
  omnilingual: ctc,
  /** The CTC head of Dataocean's Dolphin: 40 Eastern languages. sherpa-onnx biases only transducers towards words, not CTC. */
  dolphin: ctc,
  /** Qwen3-ASR: a language model that takes names in its prompt. The last three files are in one folder. */
  'qwen3-asr': {
    roles: ['convFrontend', 'encoder', 'decoder', 'vocab', 'merges', 'tokenizerConfig'],
    hasLanguageDetection: false,
    hasPrompt: true,
    hasWordTimes: false,
  },
  /** SenseVoice: Chinese, Cantonese, Japanese, Korean and English. */
  'sense-voice': ctc,
  /** Networks of NVIDIA's NeMo with a CTC head, such as FastConformer: mostly one language per model, such as Persian. */
  'nemo-ctc': { ...ctc, needsLanguages: true },
  /** NVIDIA's Parakeet, and the transducers of icefall. They are decoded greedily, so names have no effect. */
  transducer: { ...ctc, roles: ['encoder', 'decoder', 'joiner', 'tokens'], needsLanguages: true },
  /** NVIDIA's Canary: English, German, Spanish and French. */
  canary: { ...encoderAndDecoder, encoder: { type: /^EncDecMultiTaskModel$/u, name: 'a Canary' } },
  /** Cohere Transcribe: 14 languages, including English and Arabic. */
  'cohere-transcribe': { ...encoderAndDecoder, encoder: { type: /cohere-transcribe/u, name: 'Cohere Transcribe' } },
}
