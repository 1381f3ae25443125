/** The families that the engine of sherpa-onnx runs. */
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
  /** The required files of a model, by role. An entry may name more, such as external weights of an ONNX file. */
  roles: readonly string[]
  /** Whether a model detects the language. */
  hasLanguageDetection: boolean
  /** Whether a model takes a prompt, such as names. */
  hasPrompt: boolean
  /** Whether a model says when each word was spoken. */
  hasWordTimes: boolean
  /** What the encoder's metadata has as `model_type`, and what such a model is called; undefined where it need not be there. */
  encoder?: { type: RegExp; name: string }
  /** Whether models of the family know different languages, which their files do not name. */
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
 * The kinds of networks whose files come in the formats of sherpa-onnx. sherpa-onnx runs all but Whisper, which our own decoder
 * (engine/speech/onnx-whisper) runs on onnxruntime; recognizer-config.ts says how each of the others is set up.
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
  /** Meta's Omnilingual ASR, the CTC models: over 1,600 languages, without language detection. */
  omnilingual: ctc,
  /** Dataocean's Dolphin, its CTC head: 40 Eastern languages. sherpa-onnx biases only transducers towards words, not CTC. */
  dolphin: ctc,
  /** Qwen3-ASR: a language model that takes names in its prompt. The last three lie in one folder. */
  'qwen3-asr': {
    roles: ['convFrontend', 'encoder', 'decoder', 'vocab', 'merges', 'tokenizerConfig'],
    hasLanguageDetection: false,
    hasPrompt: true,
    hasWordTimes: false,
  },
  /** SenseVoice: Chinese, Cantonese, Japanese, Korean and English. */
  'sense-voice': ctc,
  /** Networks of NVIDIA's NeMo with a CTC head, such as FastConformer: mostly one language a model, as Persian. */
  'nemo-ctc': { ...ctc, needsLanguages: true },
  /** NVIDIA's Parakeet, and the transducers of icefall. They are decoded greedily, so names have no effect. */
  transducer: { ...ctc, roles: ['encoder', 'decoder', 'joiner', 'tokens'], needsLanguages: true },
  /** NVIDIA's Canary: English, German, Spanish and French. */
  canary: { ...encoderAndDecoder, encoder: { type: /^EncDecMultiTaskModel$/u, name: 'a Canary' } },
  /** Cohere Transcribe: 14 languages, English and Arabic among them. */
  'cohere-transcribe': { ...encoderAndDecoder, encoder: { type: /cohere-transcribe/u, name: 'Cohere Transcribe' } },
}
