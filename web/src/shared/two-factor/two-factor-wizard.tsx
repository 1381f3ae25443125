import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { type SecondFactorChoice, authenticatorCodeShape } from '#contract/second-factor.ts'
import { t } from '#contract/texts/t.ts'
import { westernDigits } from '#contract/western-digits.ts'
import { ApiError, messageOf } from '../api/api-error.ts'
import { LoadingNotice } from '../ui/notice.tsx'
import { Form } from '../ui/form.tsx'
import { useMutationForm } from '../form/use-mutation-form.ts'
import { toastError, toastSuccess } from '../toast.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { PrintedCodesStep } from './printed-codes-step.tsx'
import { ScanStep } from './scan-step.tsx'
import classes from './two-factor.module.css'
import { useTwoFactorSetup, type TwoFactorSetup } from './use-two-factor-setup.ts'

interface TwoFactorWizardProps {
  variant: 'registration' | 'signed_in'
  /** A set-up that the server has already begun. Default: one begins when the wizard opens. */
  prepared?: TwoFactorSetup
  /** Requests a secret, with what the user has instead of an app. Called again when the user chooses, or goes back to choose. */
  begin: (choice?: SecondFactorChoice) => Promise<TwoFactorSetup>
  /** Confirms the secret by a code; throws ApiError. */
  verify: (code: string) => Promise<unknown>
  onComplete: () => void
  onCancel: () => void
}

const stepNames = [t('Scan'), t('Verify'), t('Backup codes')]
const printedStepNames = [t('Choose'), t('Print')]

const startErrorMessages = {
  registration: () => t('Failed to setup 2FA'),
  signed_in: (error: unknown) =>
    error instanceof ApiError && error.code === 'two_factor_enabled'
      ? t('2FA is already enabled for this user')
      : t('Failed to enable 2FA'),
}

interface CodeStepProps {
  /** Confirms the secret by a code; throws ApiError. */
  verify: (code: string) => Promise<unknown>
  onVerified: () => void
  onBack: () => void
  cancel: ReactNode
}

/** Two-factor set-up in three steps (accounts specification, section 2). Going back shows the same secret again. */
export function TwoFactorWizard({ variant, prepared, begin, verify, onComplete, onCancel }: TwoFactorWizardProps) {
  const flow = useTwoFactorSetup({
    prepared,
    begin,
    describeStartError: startErrorMessages[variant],
    onStartError: onCancel,
  })
  const isRegistration = variant === 'registration'
  const cancelLabel = isRegistration ? t('Cancel Registration') : t('Cancel Setup')
  const cancel = (
    <Button variant="subtle" color="gray" onClick={onCancel}>
      {cancelLabel}
    </Button>
  )
  if (!flow.setup) return <LoadingNotice label={t('Preparing your secret key')} />
  return (
    <Stack gap={20}>
      <ol className={classes.steps} aria-label={t('Set-up steps')}>
        {(flow.isPrinted ? printedStepNames : stepNames).map((name, index) => (
          <li
            key={index}
            aria-current={index === flow.step ? 'step' : undefined}
            data-done={index < flow.step || undefined}
          >
            {name}
          </li>
        ))}
      </ol>
      {flow.step === 0 && (
        <ScanStep setup={flow.setup} onNext={() => flow.goToStep(1)} onChoose={flow.choose} cancel={cancel} />
      )}
      {flow.step === 1 && flow.isPrinted && (
        <PrintedCodesStep
          codes={flow.setup.backup_codes}
          verify={verify}
          onVerified={onComplete}
          onBack={flow.startAgain}
          cancel={cancel}
        />
      )}
      {flow.step === 1 && !flow.isPrinted && (
        <CodeStep verify={verify} onVerified={() => flow.goToStep(2)} onBack={() => flow.goToStep(0)} cancel={cancel} />
      )}
      {flow.step === 2 && (
        <>
          <BackupCodes codes={flow.setup.backup_codes} />
          <Group gap="xs" align="stretch" justify="space-between">
            <Button variant="default" onClick={onComplete}>
              {t('Skip for Now')}
            </Button>
            <Button onClick={onComplete}>{isRegistration ? t('Complete Registration') : t('Complete Setup')}</Button>
          </Group>
        </>
      )}
    </Stack>
  )
}

/** Step 2: a code proves that the app has the secret. Digits only, exactly six (accounts specification, section 5). */
function CodeStep({ verify, onVerified, onBack, cancel }: CodeStepProps) {
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { code: '' },
    validate: ({ code }) =>
      authenticatorCodeShape.test(code) ? {} : { code: t('Please enter a 6-digit verification code') },
    send: ({ code }) => verify(code),
    sortErrors: () => ({ fields: { code: t('Invalid verification code. Please try again.') } }),
    onError: (error) => toastError(messageOf(error, t('Verification failed'))),
    onSuccess: () => {
      toastSuccess(t('2FA verification successful!'))
      onVerified()
    },
  })
  const isIncomplete = form.values.code.length !== 6
  return (
    <Form onSubmit={submit} gap={20}>
      <TextInput
        label={t('Verification code')}
        description={t('The 6 digits your app or token shows now')}
        className={classes.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        size="md"
        maxLength={6}
        placeholder="000000"
        {...form.getInputProps('code')}
        onChange={(event) => form.setFieldValue('code', westernDigits(event.currentTarget.value).replace(/\D/g, ''))}
        // While the button is disabled, the browser ignores Enter without any message.
        onKeyDown={(event) => {
          if (event.key === 'Enter' && isIncomplete) form.validate()
        }}
      />
      <Group gap="xs" align="stretch" justify="space-between">
        {cancel}
        <Group gap="xs" align="stretch" justify="space-between">
          <Button variant="default" onClick={onBack}>
            {t('Back')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={isIncomplete}>
            {t('Verify')}
          </Button>
        </Group>
      </Group>
    </Form>
  )
}
