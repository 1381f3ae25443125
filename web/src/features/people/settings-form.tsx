import { Alert, Button, Group, Text } from '@mantine/core'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import { signInAdmin } from '#contract/endpoints/sso.ts'
import { SignInSettings } from '#contract/sign-in-settings.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { validateInput, type FieldErrors } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { lifetimeErrors, LifetimeFields } from './lifetime-fields.tsx'
import classes from './people.module.css'
import { RegistrationFields } from './registration-fields.tsx'
import { graceErrors, TwoFactorFields } from './two-factor-fields.tsx'
import { useShowSettings, type StoredSettings } from './use-sign-in-settings.ts'

function validate(values: SignInSettings): FieldErrors {
  return { ...validateInput(SignInSettings, values), ...lifetimeErrors(values), ...graceErrors(values) }
}

/** Returns what is sent: an invalid value of a field that is not shown cannot be corrected, so the stored one stays. */
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

/** Registration, who needs a second factor, and lifetimes of sessions, saved together. What the environment decides is read-only. */
export function SettingsForm({ stored }: { stored: StoredSettings }) {
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
      // Their own second factor may be due now.
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
