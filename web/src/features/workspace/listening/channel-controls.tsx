import { Button, Group, SimpleGrid, Slider } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { formatPercent } from '../../../shared/format.ts'
import { useAtom } from '../../../shared/jotai.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import classes from './listening.module.css'
import { channelSilenceAtom, isHeard, toggleMuted, toggleSolo } from './channel-silence.ts'
import { useListeningSettings, type ListeningSettings } from './listening-settings.ts'

const sides = [
  {
    key: 'left',
    side: t('Left'),
    channelName: t('Left channel'),
    solo: t('Solo the left channel'),
    mute: t('Mute the left channel'),
    volumeOf: t('Volume of the left channel'),
    sideOf: t('Side of the left channel'),
  },
  {
    key: 'right',
    side: t('Right'),
    channelName: t('Right channel'),
    solo: t('Solo the right channel'),
    mute: t('Mute the right channel'),
    volumeOf: t('Volume of the right channel'),
    sideOf: t('Side of the right channel'),
  },
] as const

/** Solo, mute, volume and stereo position of each of two channels. */
export function ChannelControls({ isDisabled }: { isDisabled: boolean }) {
  return (
    <section className={classes.section} aria-label={t('Channels')}>
      {sides.map((texts, channel) => (
        <Channel key={texts.key} texts={texts} channel={channel} isDisabled={isDisabled} />
      ))}
    </section>
  )
}

interface ChannelProps {
  texts: (typeof sides)[number]
  channel: number
  isDisabled: boolean
}

function Channel({ texts, channel, isDisabled }: ChannelProps) {
  const { listening, change } = useListeningSettings()
  const [silence, setSilence] = useAtom(channelSilenceAtom)
  const speaker = useSpeakers().describe(undefined, channel)
  const { volume, pan } = listening.channels[channel] ?? { volume: 1, pan: 0 }
  const set = (part: Partial<{ volume: number; pan: number }>) => {
    const channels = listening.channels.map((each, index) => (index === channel ? { ...each, ...part } : each))
    change({ channels: channels as ListeningSettings['channels'] }) // as many as before
  }
  return (
    <div
      className={classes.channel}
      role="group"
      aria-label={texts.channelName}
      data-silent={!isHeard(silence, channel) || undefined}
    >
      <Group gap={6} wrap="nowrap">
        <span className={classes.channelName}>
          {speaker.letter && <SpeakerChip speaker={speaker} isNamed={speaker.isNameGiven} />}
          <span>{texts.side}</span>
        </span>
        <Toggle
          label={texts.solo}
          isOn={silence.solo === channel}
          isDisabled={isDisabled}
          onClick={() => setSilence(toggleSolo(silence, channel))}
        >
          {t('Solo')}
        </Toggle>
        <Toggle
          label={texts.mute}
          isOn={silence.muted[channel] ?? false}
          isDisabled={isDisabled || silence.solo !== null}
          onClick={() => setSilence(toggleMuted(silence, channel))}
        >
          {t('Mute')}
        </Toggle>
      </Group>
      <SimpleGrid cols={2}>
        <span className={classes.slider}>
          <span aria-hidden>{t('Volume')}</span>
          <Slider
            size="xs"
            min={0}
            max={1}
            step={0.05}
            label={formatPercent}
            thumbLabel={texts.volumeOf}
            value={volume}
            disabled={isDisabled}
            onChange={(value) => set({ volume: value })}
          />
        </span>
        <span className={classes.slider} dir="ltr">
          <span aria-hidden>L · R</span>
          <Slider
            size="xs"
            min={-1}
            max={1}
            step={0.25}
            label={describeSide}
            thumbLabel={texts.sideOf}
            value={pan}
            disabled={isDisabled}
            onChange={(value) => set({ pan: value })}
          />
        </span>
      </SimpleGrid>
    </div>
  )
}

function describeSide(pan: number): string {
  if (pan === 0) return t('Middle')
  const share = formatPercent(Math.abs(pan))
  return pan < 0 ? t('{share} left', { share }) : t('{share} right', { share })
}

interface ToggleProps {
  label: string
  isOn: boolean
  isDisabled: boolean
  onClick: () => void
  children: string
}

function Toggle({ label, isOn, isDisabled, onClick, children }: ToggleProps) {
  return (
    <Button
      size="compact-xs"
      variant={isOn ? 'filled' : 'default'}
      aria-label={label}
      aria-pressed={isOn}
      disabled={isDisabled}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
