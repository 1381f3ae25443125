import { Group, Title } from '@mantine/core'
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import { lazy, type ReactNode, Suspense } from 'react'
import { useDisclosure } from '@mantine/hooks'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { formatClock, formatMegabytes } from '../../../shared/format.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { PageHead } from '../../../shared/ui/page-head.tsx'
import { DetailsPopover } from '../provenance/details-popover.tsx'
import common from '../../../shared/ui/common.module.css'
import { DeskProgress } from '../review/desk-progress.tsx'
import { DetectedBadges } from '../transcription/detected-badges.tsx'
import { isAdmin, useUser } from '../../../shared/session/session.ts'
import { HoldBadge } from '../../holds/hold-badge.tsx'
import { describeChannels } from '../provenance/describe-channels.ts'
import { useDesk } from '../state/desk-context.ts'
import classes from './desk-head.module.css'
import { usePermissions } from '../state/permissions.ts'

const HoldDialog = lazy(async () => ({ default: (await import('../../holds/hold-dialog.tsx')).HoldDialog }))
const ConfirmationDialog = lazy(async () => ({
  default: (await import('../../admin/confirmation-dialog.tsx')).ConfirmationDialog,
}))

/** Shows that the recording is on legal hold; opens a dialog that says who set the hold and why, and can lift it. */
function DeskHold() {
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

interface DeskHeadProps {
  onHelp: () => void
  /** Actions on the recording. */
  children?: ReactNode
}

/** The name, facts and languages of the recording, in the site header. */
export function DeskHead({ onHelp, children }: DeskHeadProps) {
  const { recording, transcription } = useDesk()
  return (
    <PageHead>
      <Group gap="xs" wrap="nowrap" flex={1} miw={0}>
        <div className={classes.title}>
          <Title order={1} className={common.cut} fz="md" lh={1.3} title={isolateName(recording.name)}>
            <Isolated isCut>{recording.name}</Isolated>
          </Title>
          <p className={classes.facts}>
            <span>{formatMegabytes(recording.size)}</span>
            <span>{formatClock(recording.duration)}</span>
            <span>{describeChannels(recording)}</span>
          </p>
        </div>
        {recording.is_held && <DeskHold />}
        <DetailsPopover />
        <div className={classes.progress}>
          <DeskProgress />
        </div>
        <div className={classes.languages}>{transcription && <DetectedBadges transcription={transcription} />}</div>
        <Group gap={4} wrap="nowrap" flex="none" ms="auto">
          {children}
          <span className={classes.help}>
            <IconButton label={t('Keyboard shortcuts')} size="lg" onClick={onHelp}>
              <IconKeyboard size={20} stroke={1.5} />
            </IconButton>
          </span>
        </Group>
      </Group>
    </PageHead>
  )
}
