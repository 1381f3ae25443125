import { Alert, Button, Modal, PasswordInput, Select, Switch, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { superAdmin } from '#contract/endpoints/admin.ts'
import { roles, type Role } from '#contract/entities/user.ts'
import { call } from '../../shared/api/client.ts'
import { StrengthMeter } from '../../shared/password/strength-meter.tsx'
import classes from './admin.module.css'
import { faultsOfAct, useAdminAct } from './use-admin.ts'

/** The new-user form (accounts specification, section 3). */
interface NewUser {
  email: string
  username: string
  password: string
  first_name: string
  last_name: string
  role: Role
  is_verified: boolean
  is_active: boolean
}

const empty: NewUser = {
  email: '',
  username: '',
  password: '',
  first_name: '',
  last_name: '',
  role: 'user',
  is_verified: true,
  is_active: true,
}

const required = { email: 'Email is required', username: 'Username is required', password: 'Password is required' }

/** Creates a user of any role. */
export function CreateUserDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Create User" size="lg">
      <CreateForm onClose={onClose} />
    </Modal>
  )
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const act = useAdminAct()
  const [entered, setEntered] = useState(empty)
  const [hasTried, setHasTried] = useState(false)
  const faults = faultsOfAct(act.error)
  const faultOf = (name: keyof typeof required) => (hasTried && !entered[name].trim() ? required[name] : faults[name])
  const field = (name: 'email' | 'username' | 'password' | 'first_name' | 'last_name') => ({
    value: entered[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setEntered({ ...entered, [name]: event.currentTarget.value }),
  })
  const flag = (name: 'is_verified' | 'is_active') => ({
    checked: entered[name],
    onChange: (event: { currentTarget: { checked: boolean } }) =>
      setEntered({ ...entered, [name]: event.currentTarget.checked }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setHasTried(true)
    if (!entered.email.trim() || !entered.username.trim() || !entered.password.trim()) return
    act.mutate({
      run: () => call(superAdmin.createUser, { body: entered }),
      success: 'User created',
      failure: 'Failed to create user',
      onDone: onClose,
    })
  }

  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      {faults.general && (
        <Alert color="red" role="alert">
          {faults.general}
        </Alert>
      )}
      <div className={classes.pair}>
        <TextInput label="First name" dir="auto" data-autofocus {...field('first_name')} />
        <TextInput label="Last name" dir="auto" {...field('last_name')} />
        <TextInput label="Email" type="email" required error={faultOf('email')} {...field('email')} />
        <TextInput label="Username" required error={faultOf('username')} {...field('username')} />
      </div>
      <PasswordInput
        label="Password"
        description="The user chooses another at the first sign-in."
        autoComplete="new-password"
        required
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
        error={faultOf('password')}
        {...field('password')}
      />
      <StrengthMeter password={entered.password} />
      <Select
        label="Role"
        required
        data={[
          { value: 'user', label: 'User' },
          { value: 'admin', label: 'Admin' },
          { value: 'super_admin', label: 'Super admin' },
        ]}
        value={entered.role}
        onChange={(value) => setEntered({ ...entered, role: roles.find((known) => known === value) ?? 'user' })}
      />
      <Switch label="E-mail is verified" {...flag('is_verified')} />
      <Switch label="Account is active" {...flag('is_active')} />
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={act.isPending}>
          Create User
        </Button>
      </div>
    </form>
  )
}
