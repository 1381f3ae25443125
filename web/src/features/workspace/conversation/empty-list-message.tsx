import { Button, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import classes from './empty-list-message.module.css'

interface EmptyListMessageProps {
  /** Whether there are lines that the filters leave out. */
  hasLines: boolean
  transcription: TranscriptionResult | null
  onShowAll: () => void
}

/** Why there is no row. */
export function EmptyListMessage({ hasLines, transcription, onShowAll }: EmptyListMessageProps) {
  const hasVoice = transcription?.warnings.some(({ code }) => code === 'no_words') === true
  const noLines = hasVoice
    ? t('A voice was found, but no words were understood.')
    : t('No speech was found in this recording.')
  return (
    <div className={classes.note}>
      <Text c="dimmed">{hasLines ? t('No line matches the filters.') : noLines}</Text>
      {hasLines && (
        <Button variant="default" size="compact-sm" onClick={onShowAll}>
          {t('Show all lines')}
        </Button>
      )}
    </div>
  )
}
