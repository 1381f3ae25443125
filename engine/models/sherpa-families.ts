/** The families that the engine of sherpa-onnx runs. */
export const sherpaEngineFamilies = ['omnilingual', 'dolphin', 'qwen3-asr', 'sense-voice'] as const
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
}

/**
 * The kinds of networks whose files come in the formats of sherpa-onnx. sherpa-onnx runs all but Whisper, which our own decoder
 * (engine/speech/onnx-whisper) runs on onnxruntime; recognizer-config.ts says how each of the others is set up.
 */
export const sherpaFamilies: Record<SherpaFamilyName, SherpaFamily> = {
  /** OpenAI's Whisper and its fine-tunes. */
  whisper: { roles: ['encoder', 'decoder', 'tokens'], hasLanguageDetection: true, hasPrompt: true },
  /** Meta's Omnilingual ASR, the CTC models: over 1,600 languages, without language detection. */
  omnilingual: { roles: ['model', 'tokens'], hasLanguageDetection: false, hasPrompt: false },
  /** Dataocean's Dolphin, its CTC head: 40 Eastern languages. sherpa-onnx biases only transducers towards words, not CTC. */
  dolphin: { roles: ['model', 'tokens'], hasLanguageDetection: false, hasPrompt: false },
  /** Qwen3-ASR: a language model that takes names in its prompt. The last three lie in one folder. */
  'qwen3-asr': {
    roles: ['convFrontend', 'encoder', 'decoder', 'vocab', 'merges', 'tokenizerConfig'],
    hasLanguageDetection: false,
    hasPrompt: true,
  },
  /** SenseVoice: Chinese, Cantonese, Japanese, Korean and English. */
  'sense-voice': { roles: ['model', 'tokens'], hasLanguageDetection: false, hasPrompt: false },
}
