import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import classes from './undo-toast.module.css'

/** Long enough to read, decide and reach the button. */
const undoMs = 8000

/** Shows what was done, with a button that undoes it. Apart from the other toasts, which the first page loads. */
export function toastUndo(message: string, undo: () => void): void {
  const id = notifications.show({
    autoClose: undoMs,
    color: 'gray',
    message: (
      <span className={classes.toast}>
        <bdi>{message}</bdi>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          Undo
        </Button>
      </span>
    ),
  })
}
