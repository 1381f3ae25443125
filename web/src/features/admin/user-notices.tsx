import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { recovery } from '#contract/endpoints/recovery.ts'
import type { User } from '#contract/entities/user.ts'
import { call } from '../../shared/api/client.ts'
import { formatMoment } from '../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { useAdminAction } from './use-admin.ts'

const acts = { password: 'password', address: 'address', two_factor: 'two-factor authentication' } as const

/** What waits for somebody: an address that has not taken effect, a library that a reset closed. Super admins decide here. */
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
  return (
    <Alert color="amber" title="A new address waits">
      <Text size="sm">
        {pending.email} takes effect on {formatMoment(pending.effective_at)}, unless the owner or a super admin stops
        it.
      </Text>
      {isSuperAdmin(self) && (
        <Group mt="sm" gap="xs">
          <NoticeButton
            label="Stop"
            run={() => call(recovery.stopEmailChange, { params })}
            success="The address stays as it is"
            failure="Failed to stop the change"
          />
          <NoticeButton
            label="Put into effect now"
            run={() => call(recovery.applyEmailChange, { params })}
            success="The new address is in effect"
            failure="Failed to change the address"
          />
        </Group>
      )}
    </Alert>
  )
}

function ClosedLibrary({ user, closure }: { user: User; closure: NonNullable<User['library_closure']> }) {
  const self = useUser()
  const canOpen = isSuperAdmin(self) && self.id !== user.id
  return (
    <Alert color="amber" title="The library is closed">
      <Text size="sm">
        The {acts[closure.reason]} of this account was reset on {formatMoment(closure.closed_at)}. The library opens
        when its owner signs in with a password, code or provider from before
        {canOpen ? ', or when you open it: make sure who asks.' : ', or when a super admin opens it.'}
      </Text>
      {canOpen && (
        <Group mt="sm">
          <NoticeButton
            label="Open the library"
            run={() => call(recovery.openLibrary, { params: { id: user.id } })}
            success="The library is open"
            failure="Failed to open the library"
          />
        </Group>
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
