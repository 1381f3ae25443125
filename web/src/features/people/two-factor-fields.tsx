import { NumberInput, Radio, Stack } from '@mantine/core'
import type { SignInSettings, TwoFactorPolicy } from '#contract/sign-in-settings.ts'
import { t } from '#contract/texts/t.ts'
import type { FieldErrors } from '../../shared/form/form-errors.ts'
import { SetByEnvironment, type SettingsSource } from './setting-source.tsx'

const policies: { value: TwoFactorPolicy; label: string; description: string }[] = [
  {
    value: 'everybody',
    label: t('Everybody'),
    description: t('Someone who learns a password still cannot sign in.'),
  },
  {
    value: 'administrators',
    label: t('Administrators'),
    description: t('Admins and super admins. Others may set it up.'),
  },
  { value: 'nobody', label: t('Nobody'), description: t('Each person decides. A stolen password opens the account.') },
]
const maxGraceDays = 365

/** Returns an error for days that are not a whole number within the limits; a cleared field holds an empty string. */
export function graceErrors(values: SignInSettings): FieldErrors {
  const days: unknown = values.two_factor_grace_days
  const isValid = typeof days === 'number' && Number.isInteger(days) && days >= 0 && days <= maxGraceDays
  return isValid
    ? {}
    : {
        two_factor_grace_days: t('Please enter a whole number from {min, number} to {max, number}', {
          min: 0,
          max: maxGraceDays,
        }),
      }
}

interface TwoFactorFieldsProps {
  form: SettingsSource
  isFixed: (name: keyof SignInSettings) => boolean
}

/** Who needs a second factor, and how long new accounts may wait to set one up. */
export function TwoFactorFields({ form, isFixed }: TwoFactorFieldsProps) {
  const policy = form.values.two_factor_policy
  const isDaysFixed = isFixed('two_factor_grace_days')
  return (
    <Stack>
      <Radio.Group
        label={t('Who needs two-factor authentication')}
        {...form.getInputProps('two_factor_policy')}
        {...(isFixed('two_factor_policy') && { description: <SetByEnvironment /> })}
      >
        <Stack gap={14} mt="sm">
          {policies.map(({ value, label, description }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={description}
              disabled={isFixed('two_factor_policy') && value !== policy}
            />
          ))}
        </Stack>
      </Radio.Group>
      {policy !== 'nobody' && (
        <NumberInput
          label={t('Days to set it up')}
          description={
            isDaysFixed ? (
              <SetByEnvironment />
            ) : (
              t(
                'Counted from the creation of accounts that were made for someone: by a super admin, an invitation or single sign-on. Older accounts are asked at once; people who register themselves set it up during registration.',
              )
            )
          }
          variant={isDaysFixed ? 'filled' : 'default'}
          readOnly={isDaysFixed}
          hideControls={isDaysFixed}
          suffix={` ${t('days')}`}
          min={0}
          max={maxGraceDays}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('two_factor_grace_days')}
        />
      )}
    </Stack>
  )
}
