import { Badge, Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { auth } from '#contract/endpoints/auth.ts'
import { profile } from '#contract/endpoints/profile.ts'
import type { User } from '#contract/entities/user.ts'
import { ChangedNames } from '#contract/names.ts'
import { t } from '#contract/texts/t.ts'
import { isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useServerConfig } from '../../shared/config.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { EmailField, NameFields, UsernameField } from '../../shared/form/user-fields.tsx'
import { useResendCooldown } from '../../shared/resend-cooldown.ts'
import { useSessionActions, useUser } from '../../shared/session/session.ts'
import { resentMessage } from '../../shared/session/use-resend.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { WordListPanel } from '../../shared/word-lists/word-list-panel.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { PendingEmailNotice } from './pending-email-notice.tsx'
import classes from './profile.module.css'

/** Name, username and state of the account (accounts specification, section 2). */
export function ProfilePage() {
  const user = useUser()
  return (
    <Page title={t('Profile Settings')} width="narrow">
      <Stack gap={20}>
        <PendingEmailNotice user={user} />
        <Panel title={t('Your details')}>
          <ProfileForm user={user} />
        </Panel>
        <WordListPanel caseId={null} canEdit />
        <Panel title={t('Account')}>
          <AccountStatus user={user} />
        </Panel>
      </Stack>
    </Page>
  )
}

function ProfileForm({ user }: { user: User }) {
  const { setUser } = useSessionActions()
  const { form, submit, isBusy } = useMutationForm({
    initialValues: pickNames(user),
    // Validates only changed names: an account older than the rules keeps its names.
    validate: (values) => validateInput(ChangedNames, pickChanged(values, user)),
    send: (values) => call(profile.update, { body: values }),
    onSuccess: (answer) => {
      setUser(answer.user)
      form.setValues(pickNames(answer.user))
      toastSuccess(t('Profile updated successfully'))
    },
    onError: (error) => toastError(messageOf(error, t('Failed to update profile'))),
  })
  const isChanged = Object.keys(pickChanged(form.values, user)).length > 0
  const isBlank = form.values.username.trim() === ''

  return (
    <Form onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NameFields form={form} isOwn />
      </SimpleGrid>
      <UsernameField form={form} autoComplete="username" {...(isBlank && { error: t('Username is required') })} />
      <EmailField
        form={form}
        readOnly
        value={user.email}
        description={t('The address cannot be changed here. Ask an administrator.')}
      />
      <Button type="submit" ms="auto" loading={isBusy} disabled={!isChanged || isBlank}>
        {t('Save Changes')}
      </Button>
    </Form>
  )
}

type Names = Pick<User, 'first_name' | 'last_name' | 'username'>

function pickNames({ first_name, last_name, username }: Names): Names {
  return { first_name, last_name, username }
}

function pickChanged(values: Names, saved: Names): Partial<Names> {
  return {
    ...(values.first_name !== saved.first_name && { first_name: values.first_name }),
    ...(values.last_name !== saved.last_name && { last_name: values.last_name }),
    ...(values.username !== saved.username && { username: values.username }),
  }
}

function AccountStatus({ user }: { user: User }) {
  const cooldown = useResendCooldown(user.email)
  const config = useServerConfig()
  const resend = useMutation({
    mutationFn: () => call(auth.resendVerification, { body: {} }),
    onSuccess: () => {
      cooldown.start()
      toastSuccess(resentMessage(config))
    },
    onError: (error) => {
      if (!isSessionExpired(error)) toastError(messageOf(error, t('Failed to send verification email')))
    },
  })
  return (
    <dl className={classes.status}>
      <dt>{t('Account status')}</dt>
      <dd>
        <Badge color="green">{t('Active')}</Badge>
      </dd>
      <dt>{t('Email verification')}</dt>
      <dd>
        {user.is_verified ? (
          <Badge color="green">{t('Verified')}</Badge>
        ) : (
          <>
            <Badge color="amber">{t('Not verified')}</Badge>
            <Button
              variant="default"
              size="compact-sm"
              disabled={cooldown.secondsLeft > 0}
              onClick={() => resend.mutate()}
            >
              {cooldown.secondsLeft > 0
                ? t('Resend in {secondsLeft, number}s', { secondsLeft: cooldown.secondsLeft })
                : t('Resend')}
            </Button>
          </>
        )}
      </dd>
      <dt>{t('Sign-in')}</dt>
      <dd>
        <Text>
          {user.has_password ? t('With e-mail and password') : t('Through your organisation, without a password here')}
        </Text>
      </dd>
      <dt>{t('Role')}</dt>
      <dd>
        <Text>{roleNames[user.role]}</Text>
      </dd>
    </dl>
  )
}

const roleNames = { user: t('User'), admin: t('Admin'), super_admin: t('Super admin') } as const
