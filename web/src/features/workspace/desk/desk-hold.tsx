import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { isAdmin, useUser } from '../../../shared/session/session.ts'
import { HoldBadge } from '../../holds/hold-badge.tsx'
import { useDesk } from './desk-context.ts'
import { usePermissions } from './permissions.ts'

const HoldDialog = lazy(async () => ({ default: (await import('../../holds/hold-dialog.tsx')).HoldDialog }))
const ConfirmationDialog = lazy(async () => ({
  default: (await import('../../admin/confirmation-dialog.tsx')).ConfirmationDialog,
}))

/** That the recording is on legal hold; opens who set the hold and why, and lifts it. */
export function DeskHold() {
  const { recording } = useDesk()
  const { isOwner } = usePermissions()
  const user = useUser()
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <>
      <HoldBadge onOpen={dialog.open} />
      {isOpen && (
        <Suspense>
          <HoldDialog subject={{ ...recording, of: 'recording' }} onClose={dialog.close} />
          {!isOwner && isAdmin(user) && <ConfirmationDialog />}
        </Suspense>
      )}
    </>
  )
}
