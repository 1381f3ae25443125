import { Button, Text } from '@mantine/core'
import type { TranscriptionResult } from '#contract/transcription.ts'
import classes from './empty-note.module.css'

interface EmptyNoteProps {
  /** Whether there are lines that the filters leave out. */
  hasLines: boolean
  transcription: TranscriptionResult | null
  onShowAll: () => void
}

/** Why there is no row. */
export function EmptyNote({ hasLines, transcription, onShowAll }: EmptyNoteProps) {
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
