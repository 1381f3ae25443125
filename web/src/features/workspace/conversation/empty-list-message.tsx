import { Button, Text } from '@mantine/core'
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
    ? 'A voice was found, but no words were understood.'
    : 'No speech was found in this recording.'
  return (
    <div className={classes.note}>
      <Text c="dimmed">{hasLines ? 'No line matches the filters.' : noLines}</Text>
      {hasLines && (
        <Button variant="default" size="compact-sm" onClick={onShowAll}>
          Show all lines
        </Button>
      )}
    </div>
  )
}
