import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { recovery } from '#contract/endpoints/recovery.ts'
import type { KeptAddress, User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { formatMoment } from '../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { AddressChoiceField } from '../../shared/form/address-choice-field.tsx'
import { useAdminAction } from './use-admin.ts'

type Closure = NonNullable<User['library_closure']>

function describeReset({ reason, closed_at: closedAt }: Closure): string {
  const moment = formatMoment(closedAt)
  if (reason === 'password') return t('The password of this account was reset on {moment}.', { moment })
  if (reason === 'address') return t('The e-mail address of this account was changed on {moment}.', { moment })
  return t('The two-factor authentication of this account was reset on {moment}.', { moment })
}

/** Describes how the owner can open the library. Signing in counts as proof only with the previous address. */
function describeOpening(reason: Closure['reason'], opener: 'you' | 'super_admin'): string {
  if (reason === 'password') {
    return t(
      'The library opens when its owner signs in with a code or provider from before, or enters their former password or a former code, or when {opener, select, you {you open it. First verify who is asking.} other {a super admin opens it.}}',
      { opener },
    )
  }
  if (reason === 'address') {
    return t(
      'The library opens when its owner enters a password or code from before, or shows a passkey, or when {opener, select, you {you open it. First verify who is asking.} other {a super admin opens it.}}',
      { opener },
    )
  }
  return t(
    'The library opens when its owner signs in with the password or provider from before, or shows a former code or passkey, or when {opener, select, you {you open it. First verify who is asking.} other {a super admin opens it.}}',
    { opener },
  )
}

/** What is pending for a user: an address not yet in effect, a library closed by a reset. Super admins decide here. */
export function UserNotices({ user }: { user: User }) {
  if (!user.pending_email && !user.library_closure) return null
  return (
    <Stack mb="md">
      {user.pending_email && <PendingEmailNotice user={user} pending={user.pending_email} />}
      {user.library_closure && <ClosedLibrary user={user} closure={user.library_closure} />}
    </Stack>
  )
}

function PendingEmailNotice({ user, pending }: { user: User; pending: NonNullable<User['pending_email']> }) {
  const self = useUser()
  const params = { id: user.id }
  // The address on screen: it may have been replaced by another in the meantime.
  const { email } = pending
  return (
    <Alert color="amber" title={t('A new address is pending')}>
      <Text size="sm">
        {t('{email} takes effect on {moment}, unless the owner or a super admin cancels the change.', {
          email,
          moment: formatMoment(pending.effective_at),
        })}
      </Text>
      {isSuperAdmin(self) && (
        <Group mt="sm" gap="xs">
          <NoticeButton
            label={t('Cancel the change')}
            run={() => call(recovery.stopEmailChange, { params, query: { email } })}
            success={t('Change of address cancelled')}
            failure={t('Failed to cancel the change')}
          />
          <NoticeButton
            label={t('Apply now')}
            run={() => call(recovery.applyEmailChange, { params, body: { email } })}
            success={t('New address applied')}
            failure={t('Failed to apply the new address')}
          />
        </Group>
      )}
    </Alert>
  )
}

function ClosedLibrary({ user, closure }: { user: User; closure: Closure }) {
  const self = useUser()
  const [address, setAddress] = useState<KeptAddress>('former')
  const { reason, former_email: former } = closure
  const canOpen = isSuperAdmin(self) && self.id !== user.id
  return (
    <Alert color="amber" title={t('The library is closed')}>
      <Text size="sm">
        {describeReset(closure)} {describeOpening(reason, canOpen ? 'you' : 'super_admin')}
      </Text>
      {canOpen && (
        <Stack mt="sm" align="start">
          {former !== null && (
            <AddressChoiceField former={former} present={user.email} value={address} onChange={setAddress} />
          )}
          <NoticeButton
            label={t('Open the library')}
            run={() => call(recovery.openLibrary, { params: { id: user.id }, body: { address } })}
            success={t('The library is open')}
            failure={t('Failed to open the library')}
          />
        </Stack>
      )}
    </Alert>
  )
}

interface NoticeButtonProps {
  label: string
  run: () => Promise<unknown>
  success: string
  failure: string
}

function NoticeButton({ label, ...change }: NoticeButtonProps) {
  const action = useAdminAction()
  return (
    <Button size="compact-sm" variant="default" loading={action.isPending} onClick={() => action.mutate(change)}>
      {label}
    </Button>
  )
}
