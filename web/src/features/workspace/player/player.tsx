import { ActionIcon, Button, Menu, Slider, Tooltip } from '@mantine/core'
import IconPlayerPauseFilled from '@tabler/icons-react/dist/esm/icons/IconPlayerPauseFilled.mjs'
import IconPlayerPlayFilled from '@tabler/icons-react/dist/esm/icons/IconPlayerPlayFilled.mjs'
import IconRewindBackward10 from '@tabler/icons-react/dist/esm/icons/IconRewindBackward10.mjs'
import IconRewindForward10 from '@tabler/icons-react/dist/esm/icons/IconRewindForward10.mjs'
import IconVolume from '@tabler/icons-react/dist/esm/icons/IconVolume.mjs'
import IconVolumeOff from '@tabler/icons-react/dist/esm/icons/IconVolumeOff.mjs'
import { useEffect, useRef, type ReactNode } from 'react'
import { t } from '#contract/texts/t.ts'
import { formatClock, formatNumber } from '../../../shared/format.ts'
import { playbackSpeeds } from '../../../shared/playback-speeds.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { audioAddress } from '../../../shared/recordings/uploaded-file.ts'
import { useSettings } from '../../../shared/settings.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import classes from './player.module.css'
import { usePlayer } from './player-context.ts'
import { playerTimeAtom, skipSeconds } from './use-audio-player.ts'

interface PlayerBarProps {
  recordingId: string
  /** The map of the recording, above the controls. */
  map: ReactNode
  /** What is being said now, beside the controls. */
  children: ReactNode
}

/** The recording's audio: its map, the controls and what is being said now. */
export function PlayerBar({ recordingId, map, children }: PlayerBarProps) {
  const player = usePlayer()
  const { element, events } = player
  useAutoPlay()
  return (
    <section className={classes.player} aria-label={t('Audio player')}>
      {/* Nothing is fetched before it is played: a call of an hour is 50 MB. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the transcript below is what captions would say */}
      <audio ref={element} src={audioAddress(recordingId)} preload="none" {...events} />
      {map}
      <div className={classes.controls}>
        {/* Time runs from left to right in every language, as on the map above. */}
        <div className={classes.buttons} dir="ltr">
          <IconButton label={t('Back 10 seconds')} size="lg" onClick={() => player.skip(-skipSeconds)}>
            <IconRewindBackward10 size={22} stroke={1.5} />
          </IconButton>
          <Tooltip label={player.isPlaying ? t('Pause') : t('Play')}>
            <ActionIcon
              size={40}
              radius={999}
              variant="filled"
              aria-label={player.isPlaying ? t('Pause') : t('Play')}
              onClick={player.toggle}
            >
              {player.isPlaying ? <IconPlayerPauseFilled size={22} /> : <IconPlayerPlayFilled size={22} />}
            </ActionIcon>
          </Tooltip>
          <IconButton label={t('Forward 10 seconds')} size="lg" onClick={() => player.skip(skipSeconds)}>
            <IconRewindForward10 size={22} stroke={1.5} />
          </IconButton>
        </div>
        <Clock durationSeconds={player.durationSeconds} />
        <SpeedMenu />
        <Volume />
        {children}
      </div>
      {player.isSoundMissing && (
        <p className={classes.missing} role="status">
          <IconVolumeOff size={18} stroke={1.5} aria-hidden />
          <span>
            {t('The sound of this recording is missing on the server.')}{' '}
            {t('Its texts can be used all the same. An administrator can bring it back: System, Checks.')}
          </span>
        </p>
      )}
    </section>
  )
}

/** Plays a recording when it opens, if the settings ask for it. */
function useAutoPlay() {
  const { toggle } = usePlayer()
  const { settings } = useSettings()
  const isWanted = useRef(settings.audio.autoPlay)
  useEffect(() => {
    if (!isWanted.current) return
    isWanted.current = false
    toggle()
  }, [toggle])
}

function Clock({ durationSeconds }: { durationSeconds: number }) {
  const time = useAtomValue(playerTimeAtom)
  return (
    <span className={classes.clock} dir="ltr">
      {formatClock(time)} <span className={classes.total}>/ {formatClock(durationSeconds)}</span>
    </span>
  )
}

function SpeedMenu() {
  const player = usePlayer()
  return (
    <Menu width={110}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-label={t('Playback speed {playbackSpeed, number}×', { playbackSpeed: player.playbackSpeed })}
        >
          {formatSpeed(player.playbackSpeed)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {playbackSpeeds.map((speed) => (
          <Menu.Item key={speed} onClick={() => player.setPlaybackSpeed(speed)}>
            {formatSpeed(speed)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function formatSpeed(speed: number): string {
  return t('{speed}×', { speed: formatNumber(speed, 2) })
}

function Volume() {
  const player = usePlayer()
  return (
    <div className={classes.volume}>
      <IconButton label={player.isMuted ? t('Unmute') : t('Mute')} onClick={player.toggleMuted}>
        {player.isMuted ? <IconVolumeOff size={20} stroke={1.5} /> : <IconVolume size={20} stroke={1.5} />}
      </IconButton>
      <Slider
        w={96}
        size="xs"
        min={0}
        max={1}
        step={0.01}
        label={null}
        thumbLabel={t('Volume')}
        value={player.isMuted ? 0 : player.volume}
        onChange={player.setVolume}
      />
    </div>
  )
}
