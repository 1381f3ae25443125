import { Button, Modal, Text } from '@mantine/core'
import classes from './dialog.module.css'

interface RemoveDialogProps {
  /** Null while the dialog is closed. */
  asked: { count: number } | null
  onClose: () => void
  onConfirm: () => void
}

/** Asks before many recordings are deleted at once. */
export function RemoveDialog({ asked, onClose, onConfirm }: RemoveDialogProps) {
  const count = asked?.count.toLocaleString('en')
  return (
    <Modal opened={asked !== null} onClose={onClose} title={`Delete ${count} recordings`}>
      <Text>They go with their audio, transcripts and translations. For a few seconds you can undo this.</Text>
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red" onClick={onConfirm}>
          Delete
        </Button>
      </div>
    </Modal>
  )
}
