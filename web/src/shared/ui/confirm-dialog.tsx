import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { DialogActions } from './dialog-actions.tsx'

interface ConfirmDialogProps {
  title: string
  confirmLabel: string
  isOpen: boolean
  isBusy: boolean
  /** False if the action is currently not possible; `children` gives the reason. Default true. */
  canConfirm?: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks for confirmation before something is lost, saying what. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirmLabel, isOpen, isBusy, canConfirm = true, onConfirm, onClose, children } = props
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      {children}
      <DialogActions onCancel={onClose} isCancelFocused mt={20}>
        <Button color="red" loading={isBusy} disabled={!canConfirm} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Modal>
  )
}
