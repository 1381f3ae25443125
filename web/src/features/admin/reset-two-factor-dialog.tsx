import { Button, Modal, Text, Textarea } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { admin } from '#contract/endpoints/admin.ts'
import type { User } from '#contract/entities/user.ts'
import { call } from '../../shared/api/client.ts'
import { useServerConfig } from '../../shared/config.ts'
import { displayName } from '../../shared/format.ts'
import classes from './admin.module.css'
import { useAdminAct } from './use-admin.ts'

interface ResetTwoFactorDialogProps {
  user: User
  isOpen: boolean
  onClose: () => void
}

/** Switches two-factor off for somebody who lost phone and backup codes; asks why, for the audit trail. */
export function ResetTwoFactorDialog({ user, isOpen, onClose }: ResetTwoFactorDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Reset Two-Factor Authentication">
      <ResetForm user={user} onClose={onClose} />
    </Modal>
  )
}

function ResetForm({ user, onClose }: { user: User; onClose: () => void }) {
  const act = useAdminAct()
  const config = useServerConfig()
  const [reason, setReason] = useState('')
  const [hasTried, setHasTried] = useState(false)

  function reset(event: FormEvent) {
    event.preventDefault()
    setHasTried(true)
    if (!reason.trim()) return
    act.mutate({
      run: () => call(admin.resetTwoFactor, { params: { id: user.id }, body: { reason } }),
      success: 'Two-factor authentication reset',
      failure: 'Failed to reset two-factor authentication',
      onDone: onClose,
    })
  }

  return (
    <form onSubmit={reset} noValidate className={classes.form}>
      <Text>
        <bdi>{displayName(user)}</bdi> is signed out everywhere, gets a mail, and signs in by password alone
        {config?.gate_requires_2fa ? ', to set up a new second factor at once' : ''}. Make sure that it is they who ask.
      </Text>
      <Textarea
        label="Reason"
        description="Stands in the audit trail."
        placeholder="Lost phone; recognised in person"
        required
        rows={3}
        maxLength={300}
        data-autofocus
        value={reason}
        error={hasTried && !reason.trim() && 'Please give a reason'}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" color="red" loading={act.isPending}>
          Reset Two-Factor
        </Button>
      </div>
    </form>
  )
}
