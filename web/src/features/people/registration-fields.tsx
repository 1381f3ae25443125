import { Radio, Stack, TagsInput } from '@mantine/core'
import type { RegistrationMode } from '#contract/registration-mode.ts'
import type { SignInSettings } from '#contract/sign-in-settings.ts'
import { t } from '#contract/texts/t.ts'
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

/** Who may create an account. Providers of single sign-on say by themselves whether they bring new people. */
export function RegistrationFields({ form, isFixed }: RegistrationFieldsProps) {
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
