import { t } from './texts/t.ts'
import type { NotTranslated } from './translation.ts'

/** The message for a line without a translation, shown after "Error: ". */
const sentences: Record<NotTranslated['reason'], string> = {
  echo: t('The translation model repeated the text instead of translating it.'),
  preamble: t('The translation model talked about the translation instead of giving it.'),
  refusal: t('The translation model declined to translate this text.'),
  thoughts: t('The translation model thought aloud instead of translating.'),
  markup: t('The translation model answered with markup instead of a translation.'),
  wrong_script: t('The translation model answered in another script.'),
  wrong_language: t('The translation model answered in another language.'),
  loop: t('The translation model repeated itself without coming to an end.'),
  length: t('The answer of the translation model has not the length of a translation.'),
  empty: t('The translation model gave no answer.'),
  failed: t('The translation model failed on this text.'),
}

/** The detail for lines that were skipped because the model had failed on ten consecutive lines. */
export const skippedDetail = 'left_out'

/** Returns the sentence shown in place of a line's translation. */
export function notTranslatedSentence({ reason }: Pick<NotTranslated, 'reason'>): string {
  return sentences[reason]
}
