import { Button } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { useDesk } from '../desk/desk-context.ts'
import classes from './translation-notes.module.css'

interface StaleTranslationNoteProps {
  isDisabled: boolean
  /** Undefined where the user may not translate. */
  onTranslate: (() => void) | undefined
}

/** Marks a translation of an earlier version or of lines that changed since, and offers to translate just those. */
export function StaleTranslationNote({ isDisabled, onTranslate }: StaleTranslationNoteProps) {
  const { transcription, translation, lines } = useDesk()
  if (!translation || !transcription) return null
  const isOfOtherVersion =
    translation.transcription_id !== null && translation.transcription_id !== transcription.transcription_id
  const changedCount = lines.filter(({ isTranslationStale }) => isTranslationStale).length
  if (!isOfOtherVersion && changedCount === 0) return null
  const counted = changedCount === 1 ? t('One line was') : t('{changedCount} lines were', { changedCount })
  return (
    <p className={classes.note} role="status">
      {isOfOtherVersion
        ? t('This translation is of an earlier version of the transcript.')
        : t('{counted} changed after the translation.', { counted })}
      {onTranslate && (
        <Button size="compact-sm" variant="default" disabled={isDisabled} onClick={onTranslate}>
          {isOfOtherVersion
            ? t('Translate this version')
            : `Translate the changed ${changedCount === 1 ? 'line' : 'lines'}`}
        </Button>
      )}
    </p>
  )
}
