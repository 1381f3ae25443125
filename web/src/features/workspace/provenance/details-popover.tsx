import { Button, Group, Popover, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconGavel from '@tabler/icons-react/dist/esm/icons/IconGavel.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import { lazy, Suspense } from 'react'
import { t } from '#contract/texts/t.ts'
import { formatMegabytes, formatMoment, formatSpan } from '../../../shared/format.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { describeChannels } from './describe-channels.ts'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { ProvenanceDetails } from './provenance-details.tsx'
import classes from './details-popover.module.css'
import common from '../../../shared/ui/common.module.css'

const ActivityDialog = lazy(async () => ({
  default: (await import('../../activity/activity-dialog.tsx')).ActivityDialog,
}))

const HoldDialog = lazy(async () => ({ default: (await import('../../holds/hold-dialog.tsx')).HoldDialog }))
const RecordingHold = lazy(async () => ({ default: (await import('../../holds/recording-hold.tsx')).RecordingHold }))

/** Facts about the recording: the models, times and settings behind its texts, its holds and, for the owner, what was done with it. */
export function DetailsPopover() {
  const { recording, transcription, translation } = useDesk()
  const { isOwner } = usePermissions()
  const [isOpen, popover] = useDisclosure(false)
  const [isActivityShown, activity] = useDisclosure(false)
  const [isHoldShown, hold] = useDisclosure(false)

  function showActivity() {
    popover.close()
    activity.open()
  }

  function showHold() {
    popover.close()
    hold.open()
  }

  return (
    <>
      <Popover
        opened={isOpen}
        onChange={popover.set}
        width="min(30rem, 94vw)"
        position="bottom-start"
        shadow="md"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <IconButton label={t('Details')} size="lg" onClick={popover.toggle}>
            <IconInfoCircle size={20} stroke={1.5} />
          </IconButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('Details')} className={classes.details}>
          <Text fw={600} size="sm" className={common.wrap}>
            <Isolated>{recording.name}</Isolated>
          </Text>
          <Text size="sm" c="dimmed">
            {formatMegabytes(recording.size)} · {formatSpan(recording.duration)} · {describeChannels(recording)}
          </Text>
          <Text size="sm" c="dimmed">
            {t('Uploaded {moment}', { moment: formatMoment(recording.created_at) })}
          </Text>
          {recording.is_held && (
            <Suspense>
              <RecordingHold recordingId={recording.id} />
            </Suspense>
          )}
          {isOwner && (
            <Group gap="xs" mt="sm">
              <Button
                variant="default"
                size="xs"
                leftSection={<IconHistory size={16} stroke={1.5} aria-hidden />}
                onClick={showActivity}
              >
                {t('Activity')}
              </Button>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconGavel size={16} stroke={1.5} aria-hidden />}
                onClick={showHold}
              >
                {t('Legal hold…')}
              </Button>
            </Group>
          )}
          {transcription && <ProvenanceDetails what="Transcript" provenance={transcription.provenance} />}
          {translation && <ProvenanceDetails what="Translation" provenance={translation.provenance} />}
        </Popover.Dropdown>
      </Popover>
      {isActivityShown && (
        <Suspense>
          <ActivityDialog recording={recording} onClose={activity.close} />
        </Suspense>
      )}
      {isHoldShown && (
        <Suspense>
          <HoldDialog subject={{ ...recording, of: 'recording' }} onClose={hold.close} />
        </Suspense>
      )}
    </>
  )
}
