import { Button, Group, type GroupProps } from '@mantine/core'
import { t } from '#contract/texts/t.ts'

interface DialogActionsProps extends GroupProps {
  /** Without it there is no button to cancel. */
  onCancel: (() => void) | undefined
  /** Whether the dialog opens with the focus on Cancel: where something is lost. */
  isCancelFocused?: boolean
}

/** The foot of a dialog or form: a button to cancel, and what confirms as children. */
export function DialogActions({ onCancel, isCancelFocused, children, ...rest }: DialogActionsProps) {
  return (
    <Group gap="xs" justify="flex-end" {...rest}>
      {onCancel && (
        <Button variant="default" onClick={onCancel} data-autofocus={isCancelFocused}>
          {t('Cancel')}
        </Button>
      )}
      {children}
    </Group>
  )
}
