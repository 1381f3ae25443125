import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './admin.module.css'

interface ConfirmDialogProps {
  title: string
  confirmLabel: string
  isOpen: boolean
  isBusy: boolean
  /** False where it cannot be done now, and the text says why. Default true. */
  canConfirm?: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks before something is lost, and names what. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirmLabel, isOpen, isBusy, canConfirm = true, onConfirm, onClose, children } = props
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      {children}
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={isBusy} disabled={!canConfirm} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Modal>
  )
}
