import { AppError } from '#contract/app-error.ts'
import { notTranslatedSentence } from '#contract/not-translated.ts'
import type { NotTranslated } from '#contract/translation.ts'

/** The completions for one text were rejected as translations; other texts are not affected. */
export class NotTranslatedError extends AppError {
  override name = 'NotTranslatedError'
  readonly notTranslated: NotTranslated

  constructor(notTranslated: NotTranslated, message = notTranslatedSentence(notTranslated)) {
    super('internal', message)
    this.notTranslated = notTranslated
  }
}
