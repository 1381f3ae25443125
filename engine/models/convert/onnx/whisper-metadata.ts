import { notConvertible } from '../conversion-error.ts'
import { isMultilingual } from '../vocabulary.ts'
import type { WhisperSource } from '../whisper-source.ts'

/**
 * Languages that can be requested from the model, by their position in Whisper's list (openai-whisper, tokenizer.py). It detects the
 * language only among these, which is right far more often than among 99; Hindi is included because Whisper hears it in Urdu.
 */
const languagePlaces = { ps: 81, en: 0, ur: 31, hi: 17, fa: 41, ar: 13 } as const

/** The version of the graphs' structure: files with a lower version or none can be read too, but take more CPU time. */
export const graphVersion = 2
export const graphVersionKey = 'awaz_graph_version'

/**
 * Returns the metadata of an encoder as written by sherpa-onnx's export script: sizes, and the ids of the special tokens, which follow
 * from the size of the vocabulary.
 */
export function whisperMetadata({ sizes, words, alignmentHeads }: WhisperSource): Record<string, string> {
  const hasLanguages = isMultilingual(sizes.vocabulary)
  const eot = words.length
  const sot = eot + 1
  const firstLanguage = sot + 1
  // English-only models have the language tokens of the first multilingual models but use none of them.
  const languageCount = hasLanguages ? sizes.vocabulary - 51_766 : 99
  const translate = firstLanguage + languageCount
  const [transcribe, sotLm, sotPrev, noSpeech, noTimestamps] = [1, 2, 3, 4, 5].map((step) => translate + step)
  const languages = hasLanguages ? Object.entries(languagePlaces) : []
  const numbers = {
    version: 1,
    n_mels: sizes.melBands,
    n_audio_ctx: sizes.audioContext,
    n_audio_state: sizes.audioState,
    n_audio_head: sizes.audioHeads,
    n_audio_layer: sizes.audioLayers,
    n_vocab: sizes.vocabulary,
    n_text_ctx: sizes.textContext,
    n_text_state: sizes.textState,
    n_text_head: sizes.textHeads,
    n_text_layer: sizes.textLayers,
    n_alignment_heads: alignmentHeads.length,
    sot,
    sot_index: 0,
    eot,
    blank_id: findBlank(words),
    is_multilingual: Number(hasLanguages),
    no_speech: noSpeech,
    transcribe,
    translate,
    sot_prev: sotPrev,
    sot_lm: sotLm,
    no_timestamps: noTimestamps,
  }
  return {
    model_type: 'whisper',
    maintainer: 'Awaz',
    [graphVersionKey]: String(graphVersion),
    ...Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, String(value)])),
    sot_sequence: hasLanguages ? `${sot},${firstLanguage},${transcribe}` : String(sot),
    all_language_tokens: languages.map(([, place]) => firstLanguage + place).join(','),
    all_language_codes: languages.map(([code]) => code).join(','),
    non_speech_tokens: '',
  }
}

/** Returns the token of a single space, with which no text begins. */
function findBlank(words: Buffer[]): number {
  const blank = words.findIndex((word) => word.length === 1 && word[0] === 0x20)
  if (blank !== -1) return blank
  throw notConvertible(
    'The vocabulary has no token of a single space, which every Whisper has.',
    'Get the model from its source again.',
  )
}

/** Returns the content of tokens.txt: the bytes of each token as base64, and its id. */
export function encodeTokens(words: Buffer[]): string {
  return words.flatMap((word, number) => (word.length > 0 ? [`${word.toString('base64')} ${number}\n`] : [])).join('')
}
