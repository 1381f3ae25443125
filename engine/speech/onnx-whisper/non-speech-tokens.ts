import type { TokenTable } from './token-table.ts'

/** Texts of symbols and brackets around sounds such as [Music]. Source: OpenAI's Whisper, `non_speech_tokens` in tokenizer.py. */
const symbols = [
  ...'"#()*+/:;<=>@[\\]^_`{|}~「」『』',
  ...'<< >> <<< >>> -- --- -( -[ (\' (" (( )) ((( ))) [[ ]] {{ }} ♪♪ ♪♪♪ ♩ ♪ ♫ ♬ ♭ ♮ ♯'.split(' '),
]
/** These are part of words, but do not begin one. */
const onlyAfterSpace = ['-', "'"]

/** Returns the tokens that write no speech, with and without a space before them. */
export function nonSpeechTokens(table: Pick<TokenTable, 'find'>): number[] {
  const texts = [
    ...symbols.flatMap((symbol) => [symbol, ` ${symbol}`]),
    ...onlyAfterSpace.map((symbol) => ` ${symbol}`),
  ]
  return texts.flatMap((text) => table.find(text) ?? [])
}
