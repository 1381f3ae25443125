import { Alert, Button, Text } from '@mantine/core'
import classes from './save-notice.module.css'
import type { SaveState } from './use-speaker-corrections.ts'

/** Whether the last change is saved. */
export function SaveStatus({ state, lastChange }: { state: SaveState; lastChange: string | undefined }) {
  return (
    <Text span size="sm" c="dimmed" aria-live="polite" className={classes.note}>
      {state.status === 'saving' && 'Saving…'}
      {state.status === 'saved' && lastChange !== undefined && `${lastChange} · Saved`}
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
        closeButtonLabel="Close"
        onClose={onDiscard}
      >
        {state.message}
      </Alert>
    )
  }
  if (state.status !== 'failed') return null
  return (
    <Alert color="red" role="alert" className={classes.notice}>
      The last change to the speakers is not saved. {state.message}
      <div className={classes.choices}>
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          Try again
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onDiscard}>
          Discard the change
        </Button>
      </div>
    </Alert>
  )
}
