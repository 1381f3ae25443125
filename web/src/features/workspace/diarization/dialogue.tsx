import { Text } from '@mantine/core'
import IconPlayerPauseFilled from '@tabler/icons-react/dist/esm/icons/IconPlayerPauseFilled.mjs'
import IconPlayerPlayFilled from '@tabler/icons-react/dist/esm/icons/IconPlayerPlayFilled.mjs'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { DiarizationResult } from '#contract/entities/job.ts'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { DirectionalText, readsAgainstPage } from '../../../shared/ui/directional-text.tsx'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { usePlayer } from '../player/player-context.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { PersonName } from '../speakers/person-name.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import classes from './dialogue.module.css'

type DialogueLine = DiarizationResult['dialogue_timeline'][number]

interface DialogueProps {
  result: DiarizationResult
  language: string
}

/** Speaker dots cycle through this many colors (audio-workflow specification, section 9). */
const dotCount = 6
/** Above this many lines, only those in view are rendered; an hour-long call has 1,500. */
const maxRenderedLines = 200
const estimatedRowPx = 72

/** A mini-player and the dialogue in time order. */
export function Dialogue({ result, language }: DialogueProps) {
  const lines = result.dialogue_timeline
  const List = lines.length > maxRenderedLines ? VirtualList : FullList
  return (
    <>
      <MiniPlayer speakerCount={result.num_speakers} />
      {lines.length === 0 && <Text c="dimmed">{t('No speech was found in this recording.')}</Text>}
      <List lines={lines} language={language} />
    </>
  )
}

interface ListProps {
  lines: DialogueLine[]
  language: string
}

function FullList({ lines, language }: ListProps) {
  return (
    <ol className={classes.list} aria-label={t('Dialogue')}>
      {lines.map((line) => (
        <li key={`${line.speaker}-${line.timestamp}`}>
          <DialogueRow line={line} language={language} />
        </li>
      ))}
    </ol>
  )
}

function VirtualList({ lines, language }: ListProps) {
  const scroller = useRef<HTMLOListElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer's functions are its own; nothing here memoises them
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedRowPx,
    overscan: 6,
  })
  return (
    <ol ref={scroller} className={classes.list} aria-label={t('Dialogue')}>
      <li aria-hidden style={{ height: virtualizer.getTotalSize() }} />
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const line = lines[index]
        return (
          line && (
            <li
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              className={classes.virtualRow}
              style={{ transform: `translateY(${start}px)` }}
              aria-posinset={index + 1}
              aria-setsize={lines.length}
            >
              <DialogueRow line={line} language={language} />
            </li>
          )
        )
      })}
    </ol>
  )
}

function DialogueRow({ line: { speaker, timestamp, text }, language }: { line: DialogueLine; language: string }) {
  const { seek } = usePlayer()
  const { describe } = useSpeakers()
  const { name, hue } = describe(speaker)
  const isTurned = readsAgainstPage(language, text)
  return (
    <button type="button" className={classes.row} data-turned={isTurned || undefined} onClick={() => seek(timestamp)}>
      <span className={classes.time}>{formatClock(timestamp)}</span>
      <span className={classes.speaker}>
        <span className={classes.dot} data-voice={hue % dotCount} aria-hidden />
        <PersonName>{name}</PersonName>
      </span>
      <DirectionalText as="span" language={language} className={classes.text}>
        {text}
      </DirectionalText>
    </button>
  )
}

function MiniPlayer({ speakerCount }: { speakerCount: number }) {
  const player = usePlayer()
  const time = useAtomValue(playerTimeAtom)
  return (
    <div className={classes.controls}>
      <IconButton label={player.isPlaying ? t('Pause the dialogue') : t('Play the dialogue')} onClick={player.toggle}>
        {player.isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
      </IconButton>
      <Text size="sm">
        {formatClock(time)} / {formatClock(player.durationSeconds)}
      </Text>
      <Text size="sm" c="dimmed">
        {t('{speakerCount, plural, one {# speaker} other {# speakers}}', { speakerCount })}
      </Text>
    </div>
  )
}
