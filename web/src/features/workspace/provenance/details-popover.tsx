import { Button, Popover, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
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

const ActivityDialog = lazy(async () => ({
  default: (await import('../../activity/activity-dialog.tsx')).ActivityDialog,
}))

/** Facts about the recording, which models made its texts, when and with which settings, and for its owner what was done with it. */
export function DetailsPopover() {
  const { recording, transcription, translation } = useDesk()
  const { isOwner } = usePermissions()
  const [isOpen, popover] = useDisclosure(false)
  const [isActivityShown, activity] = useDisclosure(false)

  function showActivity() {
    popover.close()
    activity.open()
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
          <Text fw={600} size="sm" className={classes.name}>
            <Isolated>{recording.name}</Isolated>
          </Text>
          <Text size="sm" c="dimmed">
            {formatMegabytes(recording.size)} · {formatSpan(recording.duration)} · {describeChannels(recording)}
          </Text>
          <Text size="sm" c="dimmed">
            {t('Uploaded {moment}', { moment: formatMoment(recording.created_at) })}
          </Text>
          {isOwner && (
            <Button
              variant="default"
              size="xs"
              mt="sm"
              leftSection={<IconHistory size={16} stroke={1.5} aria-hidden />}
              onClick={showActivity}
            >
              {t('Activity')}
            </Button>
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
    </>
  )
}
