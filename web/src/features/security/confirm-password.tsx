import { Button, PasswordInput, Text, Loader, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { profile } from '#contract/endpoints/profile.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { saveTokens } from '../../shared/api/tokens.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { useSessionActions, useUser } from '../../shared/session/session.ts'
import { isOwnCode, SecondFactorCodeField } from '../../shared/two-factor/code-field.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { rememberReturnPath } from '../../shared/session/return-path.ts'
import { toastError } from '../../shared/toast.tsx'

interface ConfirmPasswordProps {
  /** Says what is going to happen. Default: only the request for the password. */
  children?: ReactNode
  confirmLabel: string
  isDangerous?: boolean
  /** Whether to ask for the second factor too, if the user has one. Default false. */
  isEveryFactor?: boolean
  /** Says what is left to do after a new sign-in, where that is the only way. Default: nothing. */
  afterSignIn?: string
  onConfirmed: () => void | Promise<void>
  /** Missing if there is nothing to go back to. */
  onCancel?: () => void
}

/** How long the server accepts a sign-in as a confirmation (docs/decisions/password-confirmation.md), less time to read and click. */
const recentMs = 4.5 * 60_000

/** Asks for the password again, or for a new sign-in if the user has no password, or has a passkey instead of codes. */
export function ConfirmPassword({ isEveryFactor = false, afterSignIn, ...props }: ConfirmPasswordProps) {
  const user = useUser()
  const hasPasskeyOnly = user.has_passkey && !user.two_factor_enabled
  if (!user.has_password || (isEveryFactor && hasPasskeyOnly)) {
    return <SignInAgain {...props} afterSignIn={afterSignIn} />
  }
  return <PasswordAgain {...props} hasCode={isEveryFactor && user.two_factor_enabled} />
}

/** The server issues new tokens for the password and revokes the previous ones, in every tab. */
function PasswordAgain(props: Omit<ConfirmPasswordProps, 'isEveryFactor' | 'afterSignIn'> & { hasCode: boolean }) {
  const { children, confirmLabel, isDangerous, hasCode, onConfirmed, onCancel } = props
  const user = useUser()
  const session = useSessionActions()
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { password: '', code: '' },
    send: async ({ password, code }) => {
      const body = { password, ...(hasCode && { totp_token: code.trim() }) }
      saveTokens(await call(profile.confirmPassword, { body }))
      // This uses up a printed code, and the number left is part of the user.
      if (hasCode && user.printed_codes_left !== null) void session.reload()
      await onConfirmed()
    },
    sortErrors: (error) => {
      const message = messageOf(error, t('Network error. Please try again.'))
      return { fields: isAboutCode(error) ? { code: message } : { password: message } }
    },
  })
  const isFilled = form.values.password !== '' && (!hasCode || isOwnCode(user, form.values.code))

  return (
    <Form onSubmit={submit}>
      <Text>{children ?? t('Please enter your password to go on.')}</Text>
      <PasswordInput
        label={t('Your password')}
        autoComplete="current-password"
        autoFocus
        data-autofocus
        visibilityToggleButtonProps={{ 'aria-label': t('Show or hide: Your password'), tabIndex: 0 }}
        {...form.getInputProps('password')}
      />
      {hasCode && <SecondFactorCodeField {...form.getInputProps('code')} />}
      {hasCode && user.printed_codes_left !== null && <PrintedCodesLeft count={user.printed_codes_left} />}
      <DialogActions onCancel={onCancel} mt={20}>
        <Button type="submit" color={isDangerous ? 'red' : undefined} loading={isBusy} disabled={!isFilled}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Form>
  )
}

/** Each confirmation uses up a code; someone without a phone should know that before the last one. */
function PrintedCodesLeft({ count }: { count: number }) {
  return (
    <Text size="sm" c="dimmed">
      {count === 0
        ? t('No code of your list is left. Ask a super administrator to reset your two-factor authentication.')
        : t(
            'This uses up a code of your list, on which {count, plural, one {# is} other {# are}} left. Print a new list in time, in Settings.',
            { count },
          )}
    </Text>
  )
}

function isAboutCode(error: Error): boolean {
  return error instanceof ApiError && error.code === 'wrong_code'
}

interface PasswordGateProps {
  /** Shown once the password has been confirmed. */
  children: ReactNode
  onCancel: () => void
}

/** Asks for the password before it shows its children. */
export function PasswordGate({ children, onCancel }: PasswordGateProps) {
  const [isOpen, setIsOpen] = useState(false)
  if (isOpen) return children
  return <ConfirmPassword confirmLabel={t('Continue')} onConfirmed={() => setIsOpen(true)} onCancel={onCancel} />
}

async function hasSignedInRecently(): Promise<boolean> {
  const { sessions } = await call(profile.listSessions)
  const session = sessions.find(({ current }) => current)
  return session !== undefined && Date.now() - Date.parse(session.created_at) < recentMs
}

interface SignInAgainProps {
  /** Says what is going to happen, if the user must read it first. */
  children?: ReactNode
  confirmLabel: string
  isDangerous?: boolean
  /** Says what is left to do after a new sign-in, if that is the only way: the server accepted no earlier one as a confirmation. */
  afterSignIn?: string | undefined
  onConfirmed: () => void | Promise<void>
  onCancel?: () => void
}

/** The confirmation for people without a password: a sign-in within the last minutes, or a new one, which leads back to this page. */
function SignInAgain(props: SignInAgainProps) {
  const { children, confirmLabel, isDangerous, afterSignIn, onConfirmed, onCancel } = props
  const session = useSessionActions()
  const { has_password: hasPassword } = useUser()
  // Each dialog asks again, because the answer changes over time. This clock is not the server's, whose answer is authoritative.
  const isRefused = afterSignIn !== undefined
  const { data, isLoading } = useQuery({
    queryKey: ['has_signed_in_recently'],
    queryFn: hasSignedInRecently,
    enabled: !isRefused,
    gcTime: 0,
  })
  const isRecent = !isRefused && data === true
  const confirm = useMutation({
    mutationFn: async () => await onConfirmed(),
    onError: (error) => toastError(messageOf(error, t('Network error. Please try again.'))),
  })

  function signInAgain() {
    rememberReturnPath()
    session.signOut().catch(() => undefined)
  }

  if (isLoading) {
    return (
      <div role="status" aria-label={t('Loading')}>
        <Loader type="bars" size="sm" aria-hidden />
      </div>
    )
  }
  return (
    <Stack>
      {children && <Text>{children}</Text>}
      {!children && isRecent && <Text>{t('You signed in a moment ago, so nothing more is asked for.')}</Text>}
      {!isRecent && (
        <Text>
          {hasPassword
            ? t('Your second factor is a passkey, which is asked for when you sign in.')
            : t('You sign in through your organisation, so there is no password to ask for.')}{' '}
          {t('Please sign in again: you come back to this page and have five minutes.')} {afterSignIn}
        </Text>
      )}
      <DialogActions onCancel={onCancel} mt={20}>
        {isRecent ? (
          <Button
            data-autofocus
            color={isDangerous ? 'red' : undefined}
            loading={confirm.isPending}
            onClick={() => confirm.mutate()}
          >
            {confirmLabel}
          </Button>
        ) : (
          <Button data-autofocus onClick={signInAgain}>
            {t('Sign in again')}
          </Button>
        )}
      </DialogActions>
    </Stack>
  )
}
