/** The special tokens and sizes of a Whisper model, as sherpa-onnx's export script writes them into the encoder's metadata. */
export interface WhisperVocabulary {
  startOfTranscript: number
  /** Begins preceding text, which is the prompt. */
  startOfPrevious: number
  /** Text tokens come before it, special tokens between it and the timestamps. */
  endOfText: number
  noSpeech: number
  /** The token of a single space, with which no text begins. */
  blank: number
  /** Timestamps are the tokens from this one on, in steps of 20 ms. */
  firstTimestamp: number
  /** Language tokens by ISO 639-1 code; empty for an English-only model. */
  languages: ReadonlyMap<string, number>
  /** Tokens that follow the language token; empty for an English-only model. */
  task: readonly number[]
  /** Bands of the log-mel spectrogram: 80, or 128 for large-v3. */
  bands: number
  layers: number
  /** Width of the decoder's self-attention cache. */
  width: number
  /** Tokens that the decoder can attend to; a text may use half of them. */
  textContext: number
}

const digits = /^\d+$/u

/**
 * Reads the metadata of an encoder.
 *
 * @throws Error for a field that is missing or not a number, and for languages without tokens
 */
export function readVocabulary(metadata: Readonly<Record<string, string>>): WhisperVocabulary {
  const number = (key: string): number => {
    const value = metadata[key]?.trim() ?? ''
    if (!digits.test(value)) throw new Error(`The encoder's metadata has no ${key}`)
    return Number(value)
  }
  const isMultilingual = metadata.is_multilingual !== '0'
  const codes = isMultilingual ? listOf(metadata.all_language_codes) : []
  const tokens = isMultilingual ? listOf(metadata.all_language_tokens) : []
  if (codes.length !== tokens.length || !tokens.every((token) => digits.test(token))) {
    throw new Error("The encoder's languages and their tokens do not match")
  }
  return {
    startOfTranscript: number('sot'),
    startOfPrevious: number('sot_prev'),
    endOfText: number('eot'),
    noSpeech: number('no_speech'),
    blank: number('blank_id'),
    firstTimestamp: number('no_timestamps') + 1,
    languages: new Map(codes.map((code, index) => [code, Number(tokens[index])])),
    task: isMultilingual ? [number('transcribe')] : [],
    bands: number('n_mels'),
    layers: number('n_text_layer'),
    width: number('n_text_state'),
    textContext: number('n_text_ctx'),
  }
}

function listOf(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
