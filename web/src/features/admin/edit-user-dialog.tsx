import { Alert, Button, Modal, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { admin } from '#contract/endpoints/admin.ts'
import type { User } from '#contract/entities/user.ts'
import { call } from '../../shared/api/client.ts'
import { useUser } from '../../shared/session/session.ts'
import classes from './admin.module.css'
import { faultsOfAct, useAdminAct } from './use-admin.ts'

interface EditUserDialogProps {
  user: User
  isOpen: boolean
  onClose: () => void
}

/** Names, username and address of a user. */
export function EditUserDialog({ user, isOpen, onClose }: EditUserDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Edit User" size="lg">
      <EditForm user={user} onClose={onClose} />
    </Modal>
  )
}

function EditForm({ user, onClose }: { user: User; onClose: () => void }) {
  const act = useAdminAct()
  const self = useUser()
  const saved = {
    first_name: user.first_name,
    last_name: user.last_name,
    username: user.username,
    email: user.email,
  }
  const [entered, setEntered] = useState(saved)
  const faults = faultsOfAct(act.error)
  const isNewAddress = entered.email.trim().toLowerCase() !== user.email
  const field = (name: keyof typeof saved) => ({
    value: entered[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setEntered({ ...entered, [name]: event.currentTarget.value }),
  })

  function save(event: FormEvent) {
    event.preventDefault()
    act.mutate({
      run: () => call(admin.updateUser, { params: { id: user.id }, body: entered }),
      success: 'User updated',
      failure: 'Failed to update user',
      onDone: onClose,
    })
  }

  return (
    <form onSubmit={save} noValidate className={classes.form}>
      {faults.general && (
        <Alert color="red" role="alert">
          {faults.general}
        </Alert>
      )}
      <div className={classes.pair}>
        <TextInput label="First name" dir="auto" data-autofocus {...field('first_name')} />
        <TextInput label="Last name" dir="auto" {...field('last_name')} />
      </div>
      <TextInput label="Username" required error={faults.username} {...field('username')} />
      <TextInput
        label="Email"
        type="email"
        required
        readOnly={user.id === self.id}
        variant={user.id === self.id ? 'filled' : 'default'}
        error={faults.email}
        {...field('email')}
      />
      {isNewAddress && (
        <Alert color="amber">
          The new address must be verified by the link that is mailed to it. The user is signed out everywhere, and the
          old address is told.
        </Alert>
      )}
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={act.isPending}>
          Save Changes
        </Button>
      </div>
    </form>
  )
}
