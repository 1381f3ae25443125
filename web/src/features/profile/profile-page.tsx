import { Badge, Button, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { auth } from '#contract/endpoints/auth.ts'
import { profile } from '#contract/endpoints/profile.ts'
import type { User } from '#contract/entities/user.ts'
import { isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useResendCooldown } from '../../shared/resend-cooldown.ts'
import { useSessionActions, useUser } from '../../shared/session/session.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import classes from './profile.module.css'

/** Names, username and the state of the account (accounts specification, section 2). */
export function ProfilePage() {
  const user = useUser()
  return (
    <Page title="Profile Settings" width="narrow">
      <div className={classes.stack}>
        <Panel title="Your details">
          <ProfileForm user={user} />
        </Panel>
        <Panel title="Account">
          <AccountStatus user={user} />
        </Panel>
      </div>
    </Page>
  )
}

function ProfileForm({ user }: { user: User }) {
  const { setUser } = useSessionActions()
  const saved = { first_name: user.first_name, last_name: user.last_name, username: user.username }
  const [entered, setEntered] = useState(saved)
  const [isBusy, setIsBusy] = useState(false)
  const isChanged =
    entered.first_name !== saved.first_name ||
    entered.last_name !== saved.last_name ||
    entered.username !== saved.username
  const fault = entered.username.trim() ? undefined : 'Username is required'
  const field = (name: keyof typeof saved) => ({
    value: entered[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setEntered({ ...entered, [name]: event.currentTarget.value }),
  })

  async function save(event: FormEvent) {
    event.preventDefault()
    if (fault) return
    setIsBusy(true)
    try {
      const answer = await call(profile.update, { body: entered })
      setUser(answer.user)
      setEntered(answer.user)
      toastSuccess('Profile updated successfully')
    } catch (error) {
      if (!isSessionExpired(error)) toastError(messageOf(error, 'Failed to update profile'))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void save(event)} noValidate className={classes.form}>
      <div className={classes.pair}>
        <TextInput label="First name" autoComplete="given-name" dir="auto" {...field('first_name')} />
        <TextInput label="Last name" autoComplete="family-name" dir="auto" {...field('last_name')} />
      </div>
      <TextInput label="Username" autoComplete="username" required error={fault} {...field('username')} />
      <TextInput
        label="Email"
        variant="filled"
        value={user.email}
        readOnly
        description="The address cannot be changed here. Ask an administrator."
      />
      <Button type="submit" className={classes.save} loading={isBusy} disabled={!isChanged || Boolean(fault)}>
        Save Changes
      </Button>
    </form>
  )
}

function AccountStatus({ user }: { user: User }) {
  const cooldown = useResendCooldown(user.email)
  async function resend() {
    try {
      await call(auth.resendVerification, { body: {} })
      cooldown.start()
      toastSuccess('Verification email sent! Please check your inbox.')
    } catch (error) {
      if (!isSessionExpired(error)) toastError(messageOf(error, 'Failed to send verification email'))
    }
  }
  return (
    <dl className={classes.status}>
      <dt>Account status</dt>
      <dd>
        <Badge color="green">Active</Badge>
      </dd>
      <dt>Email verification</dt>
      <dd>
        {user.is_verified ? (
          <Badge color="green">Verified</Badge>
        ) : (
          <>
            <Badge color="amber">Not verified</Badge>
            <Button
              variant="default"
              size="compact-sm"
              disabled={cooldown.secondsLeft > 0}
              onClick={() => void resend()}
            >
              {cooldown.secondsLeft > 0 ? `Resend in ${cooldown.secondsLeft}s` : 'Resend'}
            </Button>
          </>
        )}
      </dd>
      <dt>Role</dt>
      <dd>
        <Text>{roleNames[user.role]}</Text>
      </dd>
    </dl>
  )
}

const roleNames = { user: 'User', admin: 'Admin', super_admin: 'Super admin' } as const
