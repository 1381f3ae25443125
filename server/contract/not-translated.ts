import type { NotTranslated } from './translation.ts'

/** The message for a line without a translation, shown after "Error: ". */
const sentences: Record<NotTranslated['reason'], string> = {
  echo: 'The translation model repeated the text instead of translating it.',
  preamble: 'The translation model talked about the translation instead of giving it.',
  refusal: 'The translation model declined to translate this text.',
  thoughts: 'The translation model thought aloud instead of translating.',
  markup: 'The translation model answered with markup instead of a translation.',
  wrong_script: 'The translation model answered in another script.',
  wrong_language: 'The translation model answered in another language.',
  loop: 'The translation model repeated itself without coming to an end.',
  length: 'The answer of the translation model has not the length of a translation.',
  empty: 'The translation model gave no answer.',
  failed: 'The translation model failed on this text.',
}

/** The detail of lines that were not tried because the model had failed on ten in a row. */
export const skippedDetail = 'left_out'

/** Returns the sentence that is shown in place of a line's translation. */
export function notTranslatedSentence({ reason }: Pick<NotTranslated, 'reason'>): string {
  return sentences[reason]
}
