import { Button } from '@mantine/core'
import classes from './retry-line.module.css'
import type { TranslatedLine } from './translated-lines.ts'

/** Translates one line again, or all that failed. */
export type RetryLines = (line?: { start: number; end: number }) => void

interface RetryLineProps {
  line: TranslatedLine
  onRetry: RetryLines
}

/** Retries a line without a translation. */
export function RetryLine({ line, onRetry }: RetryLineProps) {
  return (
    <Button
      className={classes.retry}
      data-with-speaker={line.speaker !== null || undefined}
      size="compact-sm"
      variant="default"
      aria-label={`Translate the line “${line.text}” again`}
      onClick={() => onRetry({ start: line.start, end: line.end })}
    >
      Translate again
    </Button>
  )
}
