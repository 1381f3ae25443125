import { Anchor, Checkbox, PasswordInput, type CheckboxProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { StrengthMeter } from '../../shared/password/strength-meter.tsx'
import { rich } from '../../shared/texts/rich.tsx'

interface PasswordPairProps {
  form: { values: { password: string }; getInputProps: (name: string) => object }
}

/** A new password, with a live strength meter and checklist, and its confirmation. */
export function PasswordPair({ form }: PasswordPairProps) {
  return (
    <>
      <PasswordInput
        label={t('Password')}
        autoComplete="new-password"
        required
        visibilityToggleButtonProps={{ 'aria-label': t('Show or hide password'), tabIndex: 0 }}
        {...form.getInputProps('password')}
      />
      <StrengthMeter password={form.values.password} />
      <PasswordInput
        label={t('Confirm password')}
        autoComplete="new-password"
        required
        visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the confirmation'), tabIndex: 0 }}
        {...form.getInputProps('confirmation')}
      />
    </>
  )
}

/** Agreement to the terms, with links that open in a new tab. */
export function TermsBox(props: CheckboxProps) {
  return (
    <Checkbox
      {...props}
      label={rich('I agree to the <a>Terms of Service</a> and the <b>Privacy Policy</b>', {
        a: linkToTerms,
        b: linkToPrivacy,
      })}
    />
  )
}

function linkToTerms(children: ReactNode[]): ReactNode {
  return (
    <Anchor component={Link} to="/terms" target="_blank" inherit>
      {children}
    </Anchor>
  )
}

function linkToPrivacy(children: ReactNode[]): ReactNode {
  return (
    <Anchor component={Link} to="/privacy" target="_blank" inherit>
      {children}
    </Anchor>
  )
}
