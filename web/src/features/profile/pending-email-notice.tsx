import { Alert, Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { profile } from '#contract/endpoints/profile.ts'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { formatMoment } from '../../shared/format.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { toastError, toastSuccess } from '../../shared/toast.tsx'

/** Says that an administrator gave the account another address, and lets the user cancel the change. */
export function PendingEmailNotice({ user: { pending_email: pending } }: { user: User }) {
  const { setUser } = useSessionActions()
  const stop = useMutation({
    mutationFn: () => call(profile.stopEmailChange),
    onSuccess: ({ user }) => {
      toastSuccess(t('You keep your e-mail address'))
      setUser(user)
    },
    onError: (error) => {
      if (!isSessionExpired(error)) toastError(messageOf(error, t('Network error. Please try again.')))
    },
  })
  if (!pending) return null
  return (
    <Alert color="amber" title={t('Your e-mail address is going to change')}>
      <Text size="sm">
        {rich(
          'An administrator has changed the address of your account to {email}. The change takes effect on {moment}, and you will be signed out then.',
          { email: <strong>{pending.email}</strong>, moment: formatMoment(pending.effective_at) },
        )}
      </Text>
      <Button size="compact-sm" variant="default" mt="sm" loading={stop.isPending} onClick={() => stop.mutate()}>
        {t('Keep my address')}
      </Button>
    </Alert>
  )
}
