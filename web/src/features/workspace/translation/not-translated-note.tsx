import { Button } from '@mantine/core'
import { skippedDetail } from '#contract/not-translated.ts'
import { t } from '#contract/texts/t.ts'
import type { TranslatedSegment, TranslationResult } from '#contract/translation.ts'
import type { RetryLines } from '../state/desk-context.ts'
import classes from './translation-notes.module.css'

/** A translated line and its speaker; null if the speakers are unknown. */
type TranslatedLine = TranslatedSegment & { speaker: string | null }

/** Lists the lines of a translation in time order. */
function translatedLines({ speaker_translations, segments }: TranslationResult): TranslatedLine[] {
  const spoken = speaker_translations.flatMap(({ speaker, segments }) =>
    segments.map((segment): TranslatedLine => ({ ...segment, speaker })),
  )
  const lines = spoken.length > 0 ? spoken : segments.map((segment): TranslatedLine => ({ ...segment, speaker: null }))
  return lines.toSorted((a, b) => a.start - b.start)
}

interface NotTranslatedNoteProps {
  translation: TranslationResult
  isDisabled?: boolean
  /** Undefined if single lines cannot be translated. */
  onRetry: RetryLines | undefined
}

/** Says how many lines have no translation, and why the rest was skipped, if it was. Renders nothing if all lines have one. */
export function NotTranslatedNote({ translation, isDisabled = false, onRetry }: NotTranslatedNoteProps) {
  const failed = translatedLines(translation).filter(({ error }) => error !== null)
  if (failed.length === 0) return null
  const skipReason = failed.find(({ not_translated }) => not_translated?.detail === skippedDetail)?.error
  return (
    <div className={classes.note} role="alert">
      <strong>
        {t('{count, plural, one {One line was} other {# lines were}} not translated.', { count: failed.length })}
      </strong>
      {skipReason && <span>{skipReason}</span>}
      {onRetry && (
        <Button size="compact-sm" variant="default" disabled={isDisabled} onClick={() => onRetry()}>
          {t('Translate them again')}
        </Button>
      )}
    </div>
  )
}
