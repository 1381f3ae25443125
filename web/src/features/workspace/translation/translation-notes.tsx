import { Button } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { useWork } from '../state/work-context.ts'
import { NotTranslatedNote } from './not-translated-note.tsx'
import { PivotLanguageNote } from './pivot-language-note.tsx'
import classes from './translation-notes.module.css'

interface StaleTranslationNoteProps {
  isDisabled: boolean
  /** Undefined if the user may not translate. */
  onTranslate: (() => void) | undefined
}

/** Marks a translation of an earlier version, or of lines that have changed since, and offers to translate just those. */
function StaleTranslationNote({ isDisabled, onTranslate }: StaleTranslationNoteProps) {
  const { transcription, translation, lines } = useDesk()
  if (!translation || !transcription) return null
  const isOfOtherVersion =
    translation.transcription_id !== null && translation.transcription_id !== transcription.transcription_id
  const changedCount = lines.filter(({ isTranslationStale }) => isTranslationStale).length
  if (!isOfOtherVersion && changedCount === 0) return null
  return (
    <p className={classes.note} role="status">
      {isOfOtherVersion
        ? t('This translation is of an earlier version of the transcript.')
        : t('{count, plural, one {One line was} other {# lines were}} changed after the translation.', {
            count: changedCount,
          })}
      {onTranslate && (
        <Button size="compact-sm" variant="default" disabled={isDisabled} onClick={onTranslate}>
          {isOfOtherVersion
            ? t('Translate this version')
            : t('Translate the changed {count, plural, one {line} other {lines}}', { count: changedCount })}
        </Button>
      )}
    </p>
  )
}

/** What a reader of the translation should know, one line each: that it is outdated, incomplete, or was made in two steps. */
export function TranslationNotes() {
  const { translation } = useDesk()
  const { translate, isBusy } = useWork()
  const { isOwner } = usePermissions()
  if (!translation || translate.job) return null
  return (
    <div className={classes.notes}>
      <StaleTranslationNote
        isDisabled={isBusy}
        onTranslate={isOwner ? () => translate.start({ force: false }) : undefined}
      />
      <NotTranslatedNote
        translation={translation}
        isDisabled={isBusy}
        onRetry={isOwner ? translate.retry : undefined}
      />
      <PivotLanguageNote translation={translation} />
    </div>
  )
}
