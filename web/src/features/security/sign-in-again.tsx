import { Button, Loader, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { profile } from '#contract/endpoints/profile.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { rememberReturnPath } from '../../shared/session/return-path.ts'
import { useSessionActions, useUser } from '../../shared/session/session.ts'
import { toastError } from '../../shared/toast.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'

/** The server takes a sign-in for a confirmation this long (docs/decisions/password-confirmation.md), less time to read and click. */
const recentMs = 4.5 * 60_000

async function hasSignedInRecently(): Promise<boolean> {
  const { sessions } = await call(profile.listSessions)
  const session = sessions.find(({ current }) => current)
  return session !== undefined && Date.now() - Date.parse(session.created_at) < recentMs
}

interface SignInAgainProps {
  /** What is going to happen, where the user must read it first. */
  children?: ReactNode
  confirmLabel: string
  isDangerous?: boolean
  /** What is left to do after a new sign-in, where that is the only way: the server accepted no earlier one as a confirmation. */
  afterSignIn?: string | undefined
  onConfirmed: () => void | Promise<void>
  onCancel?: () => void
}

/** The confirmation of people without a password: a sign-in of the last minutes, or a new one, which leads back to this page. */
export function SignInAgain(props: SignInAgainProps) {
  const { children, confirmLabel, isDangerous, afterSignIn, onConfirmed, onCancel } = props
  const session = useSessionActions()
  const { has_password: hasPassword } = useUser()
  // Each dialog asks again: the answer changes by itself. The clock here is not the server's, whose answer counts.
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
