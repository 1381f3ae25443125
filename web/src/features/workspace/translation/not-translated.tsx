import { Alert, Button } from '@mantine/core'
import { leftOut } from '#contract/not-translated.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { translatedLines, type TranslatedLine } from './translated-lines.ts'
import classes from '../workspace.module.css'

/** Translates one line again, or all that failed. */
export type RetryLines = (line?: { start: number; end: number }) => void

interface NotTranslatedProps {
  translation: TranslationResult
  /** Undefined where lines cannot be translated by themselves. */
  onRetry: RetryLines | undefined
}

/** How many lines have no translation, and why the rest was left out where it was. Nothing where all have one. */
export function NotTranslatedNote({ translation, onRetry }: NotTranslatedProps) {
  const failed = translatedLines(translation).filter(({ error }) => error !== null)
  if (failed.length === 0) return null
  const ended = failed.find(({ not_translated }) => not_translated?.detail === leftOut)?.error
  const count = failed.length === 1 ? 'One line was not translated.' : `${failed.length} lines were not translated.`
  return (
    <Alert color="amber" mb="md" title={count}>
      {ended}
      {onRetry && (
        <Button size="compact-sm" variant="default" display="block" mt={ended ? 'xs' : 0} onClick={() => onRetry()}>
          Translate them again
        </Button>
      )}
    </Alert>
  )
}

/** Beside a line without a translation. */
export function RetryLine({ line, onRetry }: { line: TranslatedLine; onRetry: RetryLines }) {
  return (
    <Button
      className={classes.retryLine}
      size="compact-sm"
      variant="default"
      aria-label={`Translate the line “${line.text}” again`}
      onClick={() => onRetry({ start: line.start, end: line.end })}
    >
      Translate again
    </Button>
  )
}
