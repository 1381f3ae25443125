import { Popover, Text } from '@mantine/core'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import { t } from '#contract/texts/t.ts'
import { formatMegabytes, formatMoment, formatSpan } from '../../../shared/format.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { describeChannels } from '../desk/describe-channels.ts'
import { useDesk } from '../desk/desk-context.ts'
import { ProvenanceDetails } from './provenance-details.tsx'
import classes from './details-popover.module.css'

/** Facts about the recording, and which models made its texts, when and with which settings. */
export function DetailsPopover() {
  const { recording, transcription, translation } = useDesk()
  return (
    <Popover width="min(30rem, 94vw)" position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <IconButton label={t('Details')} size="lg">
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
        {transcription && <ProvenanceDetails what="Transcript" provenance={transcription.provenance} />}
        {translation && <ProvenanceDetails what="Translation" provenance={translation.provenance} />}
      </Popover.Dropdown>
    </Popover>
  )
}
