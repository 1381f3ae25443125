import { Stack, Alert, Button, Group, Text, Radio, TagsInput } from '@mantine/core'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import { t } from '#contract/texts/t.ts'
import { signInAdmin } from '#contract/endpoints/sso.ts'
import { SignInSettings } from '#contract/sign-in-settings.ts'
import type { RegistrationMode } from '#contract/registration-mode.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { call } from '../../shared/api/client.ts'
import { validateInput, type FieldErrors } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { ConsolePage } from '../admin/console-page.tsx'
import { ProvidersPanel } from './providers/providers-panel.tsx'
import { useSignInSettings, useShowSettings, type StoredSettings } from './use-sign-in-settings.ts'
import { lifetimeErrors, LifetimeFields } from './lifetime-fields.tsx'
import classes from './people.module.css'
import { graceErrors, TwoFactorFields } from './two-factor-fields.tsx'
import { SetByEnvironment, type SettingsSource } from './setting-source.tsx'

const modes: { value: RegistrationMode; label: string; description: string }[] = [
  {
    value: 'open',
    label: t('Open|registration'),
    description: t('Everybody who reaches this server may create an account.'),
  },
  {
    value: 'domains',
    label: t('By domain'),
    description: t('Addresses of certain domains may create an account. Others need an invitation.'),
  },
  {
    value: 'invitation',
    label: t('By invitation'),
    description: t('Only people whom an administrator invited, one by one or by a CSV file.'),
  },
  {
    value: 'closed',
    label: t('Closed'),
    description: t('Nobody, and links of invitations do not work. Super admins create accounts.'),
  },
]

interface RegistrationFieldsProps {
  form: SettingsSource
  isFixed: (name: keyof SignInSettings) => boolean
}

/** Who may register, who needs a second factor, how long sessions last, and providers of single sign-on. */
export function SignInSettingsPage() {
  return (
    <ConsolePage
      title={t('Sign-in')}
      access="super_admin"
      lead={t('Who gets an account, how long people stay signed in, and which other systems may vouch for them.')}
    >
      <Stack gap={20} maw={896}>
        <Settings />
        <ProvidersPanel />
      </Stack>
    </ConsolePage>
  )
}

function Settings() {
  const { data, error, refetch } = useSignInSettings()
  if (data) return <SettingsForm stored={data} />
  if (error) {
    return (
      <ErrorNotice message={messageOf(error, t('Network error. Please try again.'))} onRetry={() => void refetch()} />
    )
  }
  return <LoadingNotice label={t('Loading the settings')} />
}

function validate(values: SignInSettings): FieldErrors {
  return { ...validateInput(SignInSettings, values), ...lifetimeErrors(values), ...graceErrors(values) }
}

/** Returns the values to send: an invalid value in a hidden field cannot be corrected, so the stored one is kept. */
function keepHidden(values: SignInSettings, stored: SignInSettings): SignInSettings {
  const errors = validate(values)
  const keepsDays = values.two_factor_policy === 'nobody' && errors.two_factor_grace_days
  const keepsDomains = values.registration !== 'domains' && errors.registration_domains
  return {
    ...values,
    ...(keepsDays && { two_factor_grace_days: stored.two_factor_grace_days }),
    ...(keepsDomains && { registration_domains: stored.registration_domains }),
  }
}

/** Registration, who needs a second factor, and session lifetimes, saved together. Values set by the environment are read-only. */
function SettingsForm({ stored }: { stored: StoredSettings }) {
  const show = useShowSettings()
  const session = useSessionActions()
  const { form, submit, isBusy, generalError } = useMutationForm({
    initialValues: stored.settings,
    validate: (values) => validate(keepHidden(values, stored.settings)),
    send: (values) => call(signInAdmin.changeSettings, { body: keepHidden(values, stored.settings) }),
    onSuccess: async (changed) => {
      form.setInitialValues(changed.settings)
      form.setValues(changed.settings)
      toastSuccess(t('Settings saved'))
      await show(changed)
      // The administrator's own second factor may be due now.
      if (changed.settings.two_factor_policy !== stored.settings.two_factor_policy) await session.reload()
    },
  })
  const isChanged = form.isDirty()
  const isFixed = (name: keyof SignInSettings) => stored.fixed.includes(name)
  return (
    <form onSubmit={submit} noValidate className={classes.stack}>
      <Panel title={t('Registration')} icon={<IconUserPlus size={20} stroke={1.5} aria-hidden />}>
        <RegistrationFields form={form} isFixed={isFixed} />
      </Panel>
      <Panel title={t('Two-factor authentication')} icon={<IconShieldLock size={20} stroke={1.5} aria-hidden />}>
        <TwoFactorFields form={form} isFixed={isFixed} />
      </Panel>
      <Panel title={t('Sessions')} icon={<IconClock size={20} stroke={1.5} aria-hidden />}>
        <LifetimeFields form={form} isFixed={isFixed} />
      </Panel>
      {generalError && (
        <Alert color="red" role="alert">
          {generalError}
        </Alert>
      )}
      <Group gap="0.75rem 1rem" justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {isChanged && t('There are changes that are not saved.')}
        </Text>
        <div className={classes.actions}>
          {isChanged && (
            <Button variant="default" onClick={() => form.reset()} disabled={isBusy}>
              {t('Discard')}
            </Button>
          )}
          <Button type="submit" loading={isBusy} disabled={!isChanged}>
            {t('Save Changes')}
          </Button>
        </div>
      </Group>
    </form>
  )
}

/** Who may create an account. Each single sign-on provider has its own setting for new people. */
function RegistrationFields({ form, isFixed }: RegistrationFieldsProps) {
  const mode = form.values.registration
  return (
    <Stack>
      <Radio.Group
        label={t('Who may create an account')}
        {...form.getInputProps('registration')}
        {...(isFixed('registration') && { description: <SetByEnvironment /> })}
      >
        <Stack gap={14} mt="sm">
          {modes.map(({ value, label, description }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={description}
              disabled={isFixed('registration') && value !== mode}
            />
          ))}
        </Stack>
      </Radio.Group>
      {mode === 'domains' && (
        <TagsInput
          label={t('Domains')}
          description={
            isFixed('registration_domains') ? <SetByEnvironment /> : t('Enter or a comma ends a domain: example.org')
          }
          readOnly={isFixed('registration_domains')}
          variant={isFixed('registration_domains') ? 'filled' : 'default'}
          splitChars={[',', ';', ' ']}
          acceptValueOnBlur
          clearable={false}
          dir="ltr"
          {...form.getInputProps('registration_domains')}
        />
      )}
    </Stack>
  )
}
