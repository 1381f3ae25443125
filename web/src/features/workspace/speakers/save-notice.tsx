import { Alert, Button, Group, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import type { SaveState } from './use-speaker-corrections.ts'
import common from '../../../shared/ui/common.module.css'

/** Whether the last change is saved. */
export function SaveStatus({ state, lastChange }: { state: SaveState; lastChange: string | undefined }) {
  return (
    <Text span size="sm" c="dimmed" aria-live="polite" className={common.wrap}>
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

/** Says why a change is not saved, and what can be done. */
export function SaveFailureAlert({ state, onRetry, onDiscard }: SaveFailureAlertProps) {
  if (state.status === 'refused') {
    return (
      <Alert
        color="amber"
        role="alert"
        m="0.75rem 1.25rem 0.25rem"
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
    <Alert color="red" role="alert" m="0.75rem 1.25rem 0.25rem">
      {t('The last change to the speakers is not saved.')} {state.message}
      <Group gap="xs" align="stretch" mt="xs">
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          {t('Try again')}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onDiscard}>
          {t('Discard the change')}
        </Button>
      </Group>
    </Alert>
  )
}
