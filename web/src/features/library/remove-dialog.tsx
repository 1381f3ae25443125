import { Button, Modal, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'

interface RemoveDialogProps {
  /** Null while the dialog is closed. */
  asked: { count: number } | null
  onClose: () => void
  onConfirm: () => void
}

/** Asks before many recordings are deleted at once. */
export function RemoveDialog({ asked, onClose, onConfirm }: RemoveDialogProps) {
  const count = asked?.count ?? 0
  return (
    <Modal
      opened={asked !== null}
      onClose={onClose}
      title={t('Delete {count, plural, one {# recording} other {# recordings}}', { count })}
    >
      <Text>{t('They move to the trash with their audio, transcripts and translations.')}</Text>
      <DialogActions onCancel={onClose} mt="lg">
        <Button color="red" onClick={onConfirm}>
          {t('Delete')}
        </Button>
      </DialogActions>
    </Modal>
  )
}
