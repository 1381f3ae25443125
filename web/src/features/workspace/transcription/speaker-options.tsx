import { Select, Switch, Text } from '@mantine/core'
import { maxSpeakerCount } from '#contract/speaker-corrections.ts'
import { FoldedOptions } from '../panel/folded-options.tsx'
import classes from './speaker-options.module.css'

/** How the speakers of the next transcription are told apart. */
export interface SpeakerChoice {
  /** Of a mono recording; null where they are to be counted. */
  count: number | null
  /** For each channel of two, whether it holds several voices. */
  split: boolean[]
}

export const usualSpeakers: SpeakerChoice = { count: null, split: [false, false] }

/** The choice as the calls take it: what is not chosen is left out. */
export function speakerRequest({ count, split }: SpeakerChoice, { isStereo }: { isStereo: boolean }) {
  if (isStereo) return split.includes(true) ? { split_voices: split } : {}
  return count === null ? {} : { speaker_count: count }
}

interface SpeakerOptionsProps {
  choice: SpeakerChoice
  onChange: (choice: SpeakerChoice) => void
  isStereo: boolean
}

const automatic = 'auto'
const counts = Array.from({ length: maxSpeakerCount }, (_, index) => String(index + 1))

/** The number of speakers of a mono recording, or which channel of two holds several voices. */
export function SpeakerOptions({ choice, onChange, isStereo }: SpeakerOptionsProps) {
  if (isStereo) return <ChannelVoices choice={choice} onChange={onChange} />
  return (
    <Select
      className={classes.count}
      classNames={{ label: classes.label }}
      label="Number of speakers"
      size="xs"
      w="auto"
      data={[{ value: automatic, label: 'Find automatically' }, ...counts]}
      value={choice.count === null ? automatic : String(choice.count)}
      onChange={(value) => onChange({ ...choice, count: value === null || value === automatic ? null : Number(value) })}
    />
  )
}

const channels = ['Left Channel', 'Right Channel']

function ChannelVoices({ choice, onChange }: Omit<SpeakerOptionsProps, 'isStereo'>) {
  const splitCount = choice.split.filter(Boolean).length
  return (
    <FoldedOptions title={`Several voices on a channel${splitCount > 0 ? ` (${splitCount})` : ''}`}>
      <Text size="xs" c="dimmed" mb="xs">
        For a loudspeaker or a telephone that was handed over. Otherwise leave it off: one voice a channel is safer.
      </Text>
      <div className={classes.channels}>
        {channels.map((name, channel) => (
          <Switch
            key={name}
            size="sm"
            label={`${name}: several voices`}
            checked={choice.split[channel] ?? false}
            onChange={(event) =>
              onChange({ ...choice, split: choice.split.with(channel, event.currentTarget.checked) })
            }
          />
        ))}
      </div>
    </FoldedOptions>
  )
}
