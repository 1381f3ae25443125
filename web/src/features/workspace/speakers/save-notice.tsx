import { Alert, Button, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import classes from './save-notice.module.css'
import type { SaveState } from './use-speaker-corrections.ts'

/** Whether the last change is saved. */
export function SaveStatus({ state, lastChange }: { state: SaveState; lastChange: string | undefined }) {
  return (
    <Text span size="sm" c="dimmed" aria-live="polite" className={classes.note}>
      {state.status === 'saving' && t('Saving…')}
      {state.status === 'saved' && lastChange !== undefined && t('{lastChange} · Saved', { lastChange })}
    </Text>
  )
}

interface SaveFailureAlertProps {
  state: SaveState
  onRetry: () => void
  onDiscard: () => void
}

/** Why a change is not saved, and what can be done. */
export function SaveFailureAlert({ state, onRetry, onDiscard }: SaveFailureAlertProps) {
  if (state.status === 'refused') {
    return (
      <Alert
        color="amber"
        role="alert"
        className={classes.notice}
        withCloseButton
        closeButtonLabel={t('Close')}
        onClose={onDiscard}
      >
        {state.message}
      </Alert>
    )
  }
  if (state.status !== 'failed') return null
  return (
    <Alert color="red" role="alert" className={classes.notice}>
      {t('The last change to the speakers is not saved.')} {state.message}
      <div className={classes.choices}>
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          {t('Try again')}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onDiscard}>
          {t('Discard the change')}
        </Button>
      </div>
    </Alert>
  )
}
