import { Button, Group, type GroupProps } from '@mantine/core'
import { t } from '#contract/texts/t.ts'

interface DialogActionsProps extends GroupProps {
  /** If undefined, there is no Cancel button. */
  onCancel: (() => void) | undefined
  /** Whether the dialog opens with the focus on Cancel, as where something is lost. */
  isCancelFocused?: boolean
}

/** The footer of a dialog or form: a Cancel button, and the confirming buttons as children. */
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
