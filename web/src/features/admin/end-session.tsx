import { Badge, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { admin } from '#contract/endpoints/admin.ts'
import type { Session, User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { displayName } from '../../shared/format.ts'
import { useUser } from '../../shared/session/session.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { describeAgent } from '../../shared/user-agent.ts'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import { useAdminAction } from './use-admin.ts'
import { isInReach } from './user-policy.ts'

interface EndSessionProps {
  session: Session
  user: Pick<User, 'id' | 'first_name' | 'last_name' | 'username' | 'role'>
}

/** Ends a session after confirmation. The reader's own session is marked instead; sessions beyond the reader's role get no button. */
export function EndSession({ session, user }: EndSessionProps) {
  const action = useAdminAction()
  const self = useUser()
  const [isOpen, dialog] = useDisclosure(false)
  const device = describeAgent(session.user_agent)
  if (session.current) return <Badge>{t('This session')}</Badge>
  if (!isInReach(self, user)) return null
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t('End the session of {user}: {device}, {ipAddress}', {
          user: displayName(user),
          device,
          ipAddress: session.ip_address,
        })}
        onClick={dialog.open}
      >
        {t('End')}
      </Button>
      <ConfirmDialog
        title={t('End session')}
        confirmLabel={t('End session')}
        isOpen={isOpen}
        isBusy={action.isPending}
        onConfirm={() =>
          action.mutate({
            run: () => call(admin.endSession, { params: { id: session.id } }),
            success: t('Session ended'),
            failure: t('Failed to end the session'),
            onDone: dialog.close,
          })
        }
        onClose={dialog.close}
      >
        <Text>
          {rich('{name} is signed out of {device} at {address}, and may sign in again.', {
            name: <Isolated>{displayName(user)}</Isolated>,
            device,
            address: session.ip_address,
          })}
        </Text>
      </ConfirmDialog>
    </>
  )
}
