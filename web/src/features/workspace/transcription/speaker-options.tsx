import { Group, Select, Switch, Text } from '@mantine/core'
import { maxSpeakerCount } from '#contract/speaker-corrections.ts'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../../shared/format.ts'
import { FoldedOptions } from '../panel/folded-options.tsx'
import type { SpeakerSettings } from '../state/work-context.ts'
import classes from './speaker-options.module.css'

export const defaultSpeakerSettings: SpeakerSettings = { count: null, split: [false, false] }

/** Returns the settings in the form that requests take, without defaults. */
export function toSpeakerRequest({ count, split }: SpeakerSettings, { isStereo }: { isStereo: boolean }) {
  if (isStereo) return split.includes(true) ? { split_voices: split } : {}
  return count === null ? {} : { speaker_count: count }
}

interface SpeakerOptionsProps {
  settings: SpeakerSettings
  onChange: (settings: SpeakerSettings) => void
  isStereo: boolean
}

const automatic = 'auto'
const counts = Array.from({ length: maxSpeakerCount }, (_, index) => ({
  value: String(index + 1),
  label: formatNumber(index + 1),
}))

/** Sets the number of speakers in a mono recording, or which of two channels are shared by several voices. */
export function SpeakerOptions({ settings, onChange, isStereo }: SpeakerOptionsProps) {
  if (isStereo) return <ChannelVoices settings={settings} onChange={onChange} />
  return (
    <Select
      className={classes.count}
      classNames={{ label: classes.label }}
      label={t('Number of speakers')}
      size="xs"
      w="auto"
      data={[{ value: automatic, label: t('Find automatically') }, ...counts]}
      value={settings.count === null ? automatic : String(settings.count)}
      onChange={(value) =>
        onChange({ ...settings, count: value === null || value === automatic ? null : Number(value) })
      }
    />
  )
}

const channelLabels = [t('Left Channel: several voices'), t('Right Channel: several voices')]

function ChannelVoices({ settings, onChange }: Omit<SpeakerOptionsProps, 'isStereo'>) {
  const splitCount = settings.split.filter(Boolean).length
  const title =
    splitCount > 0
      ? t('Several voices on a channel ({count, number})', { count: splitCount })
      : t('Several voices on a channel')
  return (
    <FoldedOptions title={title}>
      <Text size="xs" c="dimmed" mb="xs">
        {t(
          'For a loudspeaker or a telephone that was handed over. Otherwise leave it off: one voice a channel is safer.',
        )}
      </Text>
      <Group gap="0.5rem 1.5rem" align="stretch">
        {channelLabels.map((label, channel) => (
          <Switch
            key={channel}
            size="sm"
            label={label}
            checked={settings.split[channel] ?? false}
            onChange={(event) =>
              onChange({ ...settings, split: settings.split.with(channel, event.currentTarget.checked) })
            }
          />
        ))}
      </Group>
    </FoldedOptions>
  )
}
