import { ActionIcon, Button, Menu, Slider, Tooltip } from '@mantine/core'
import IconPlayerPauseFilled from '@tabler/icons-react/dist/esm/icons/IconPlayerPauseFilled.mjs'
import IconPlayerPlayFilled from '@tabler/icons-react/dist/esm/icons/IconPlayerPlayFilled.mjs'
import IconRewindBackward10 from '@tabler/icons-react/dist/esm/icons/IconRewindBackward10.mjs'
import IconRewindForward10 from '@tabler/icons-react/dist/esm/icons/IconRewindForward10.mjs'
import IconVolume from '@tabler/icons-react/dist/esm/icons/IconVolume.mjs'
import IconVolumeOff from '@tabler/icons-react/dist/esm/icons/IconVolumeOff.mjs'
import type { ReactNode } from 'react'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { audioAddress } from '../../../shared/recordings/uploaded-file.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import classes from './player-card.module.css'
import { usePlayer } from './player-context.ts'
import { SeekWave } from './seek-wave.tsx'
import { playerTimeAtom, skipSeconds } from './use-audio-player.ts'

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2]

interface PlayerCardProps {
  recording: RecordingDetails
  /** What is spoken now. */
  children: ReactNode
}

/** Waveform and controls of a recording. */
export function PlayerCard({ recording, children }: PlayerCardProps) {
  const player = usePlayer()
  const { element, events } = player
  return (
    <section className={classes.card} aria-label="Audio player">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the transcript below is what captions would say */}
      <audio ref={element} src={audioAddress(recording.id)} preload="metadata" {...events} />
      <SeekWave peaks={recording.peaks} />
      <div className={classes.controls}>
        <div className={classes.buttons}>
          <IconButton label="Back 10 seconds" size="lg" onClick={() => player.skip(-skipSeconds)}>
            <IconRewindBackward10 size={22} stroke={1.5} />
          </IconButton>
          <Tooltip label={player.isPlaying ? 'Pause' : 'Play'}>
            <ActionIcon
              size={48}
              radius="xl"
              variant="filled"
              aria-label={player.isPlaying ? 'Pause' : 'Play'}
              onClick={player.toggle}
            >
              {player.isPlaying ? <IconPlayerPauseFilled size={22} /> : <IconPlayerPlayFilled size={22} />}
            </ActionIcon>
          </Tooltip>
          <IconButton label="Forward 10 seconds" size="lg" onClick={() => player.skip(skipSeconds)}>
            <IconRewindForward10 size={22} stroke={1.5} />
          </IconButton>
        </div>
        <Clock durationSeconds={recording.duration} />
        <SpeedMenu />
        <Volume />
        {children}
      </div>
    </section>
  )
}

function Clock({ durationSeconds }: { durationSeconds: number }) {
  const time = useAtomValue(playerTimeAtom)
  return (
    <span className={classes.clock}>
      {formatClock(time)} <span className={classes.total}>/ {formatClock(durationSeconds)}</span>
    </span>
  )
}

function SpeedMenu() {
  const player = usePlayer()
  return (
    <Menu width={110}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-sm" aria-label={`Playback speed ${player.playbackSpeed}×`}>
          {player.playbackSpeed}×
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {speeds.map((speed) => (
          <Menu.Item key={speed} onClick={() => player.setPlaybackSpeed(speed)}>
            {speed}×
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Volume() {
  const player = usePlayer()
  return (
    <div className={classes.volume}>
      <IconButton label={player.isMuted ? 'Unmute' : 'Mute'} onClick={player.toggleMuted}>
        {player.isMuted ? <IconVolumeOff size={20} stroke={1.5} /> : <IconVolume size={20} stroke={1.5} />}
      </IconButton>
      <Slider
        w={96}
        size="xs"
        min={0}
        max={1}
        step={0.01}
        label={null}
        thumbLabel="Volume"
        value={player.isMuted ? 0 : player.volume}
        onChange={player.setVolume}
      />
    </div>
  )
}
