import { AppError } from '#contract/app-error.ts'
import { notTranslatedSentence } from '#contract/not-translated.ts'
import type { NotTranslated } from '#contract/translation.ts'

/** The model's answers to one text were no translations; the next text may go well. */
export class NotTranslatedError extends AppError {
  override name = 'NotTranslatedError'
  readonly notTranslated: NotTranslated

  constructor(notTranslated: NotTranslated, message = notTranslatedSentence(notTranslated)) {
    super('internal', message)
    this.notTranslated = notTranslated
  }
}
