import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { t } from '#contract/texts/t.ts'

/** Long enough to read, decide and reach the button. */
const actionMs = 8000

/** Shows a message with a button. Kept apart from the other toasts, which the first page loads. Returns the id for `hideToast`. */
export function toastAction(message: string, { label, act }: { label: string; act: () => void }): string {
  const id = notifications.show({
    autoClose: actionMs,
    color: 'gray',
    message: (
      <Group component="span" gap="sm" justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            notifications.hide(id)
            act()
          }}
        >
          {label}
        </Button>
      </Group>
    ),
  })
  return id
}

/** Shows what was done, with a button that undoes it. Returns the id for `hideToast`. */
export function toastUndo(message: string, undo: () => void): string {
  return toastAction(message, { label: t('Undo'), act: undo })
}

/** Hides a message, for example because it is no longer true. */
export function hideToast(id: string): void {
  notifications.hide(id)
}
