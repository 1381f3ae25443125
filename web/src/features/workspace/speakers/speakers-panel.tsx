import { Box, Button, Group, Text } from '@mantine/core'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { Panel } from '../../../shared/ui/panel.tsx'
import { comma, formatClock, formatPercent } from '../../../shared/format.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { useAtomValue } from '../../../shared/jotai.ts'
import { usePlayer } from '../player/player-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { SaveFailureAlert, SaveStatus } from './save-notice.tsx'
import { describeSeparation } from './separation.ts'
import { useSpeakers } from './recording-speakers.ts'
import type { useSpeakerCorrections } from './use-speaker-corrections.ts'
import { labelName } from './describe-speaker.ts'
import { mergedLabels, mergeSpeakers, renameSpeaker, separateSpeaker } from './edit-corrections.ts'
import { SpeakerChip } from './speaker-chip.tsx'
import { SpeakerMenu } from './speaker-menu.tsx'
import { SpeakerName } from './speaker-name.tsx'
import classes from './speakers-panel.module.css'
import type { Voice } from './voices.ts'

interface SpeakersPanelProps {
  transcription: TranscriptionResult
  editing: ReturnType<typeof useSpeakerCorrections>
}

interface SpeakerRowProps {
  voice: Voice
  editing: ReturnType<typeof useSpeakerCorrections>
}

const width = 1000

/** Who speaks in the recording, where and for how long; speakers are named and merged here. */
export function SpeakersPanel({ transcription, editing }: SpeakersPanelProps) {
  const { voices } = useSpeakers()
  const { state, lastChange, undo } = editing
  if (transcription.segments.length === 0) return null
  return (
    <Panel
      title={t('Speakers')}
      icon={<IconUsers size={20} stroke={1.5} aria-hidden />}
      note={
        <Text span size="sm" c="dimmed">
          {describeSeparation(transcription)}
        </Text>
      }
      actions={
        voices.length > 0 && (
          <Group gap="0.25rem 0.5rem" miw={0}>
            <SaveStatus state={state} lastChange={lastChange} />
            {lastChange !== undefined && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                leftSection={<IconArrowBackUp size={16} stroke={1.5} aria-hidden />}
                onClick={undo}
                title={t('Undo: {lastChange}', { lastChange })}
              >
                {t('Undo')}
              </Button>
            )}
          </Group>
        )
      }
      isFlush
    >
      <SaveFailureAlert state={state} onRetry={editing.retry} onDiscard={editing.discard} />
      {voices.length === 0 ? (
        <Text c="dimmed" size="sm" py={14} px={20}>
          {t('Only one voice was found. If more people speak, choose their number when you transcribe again.')}
        </Text>
      ) : (
        <Box component="ul" py={6} px={0} aria-label={t('Speakers')}>
          {voices.map((voice) => (
            <SpeakerRow key={voice.label} voice={voice} editing={editing} />
          ))}
        </Box>
      )}
    </Panel>
  )
}

/** One speaker: the name, where and how long the voice speaks, and the actions. */
function SpeakerRow({ voice, editing }: SpeakerRowProps) {
  const player = usePlayer()
  const { describe } = useSpeakers()
  const [isRenaming, setIsRenaming] = useState(false)
  const { canEdit } = usePermissions()
  const { corrections, change } = editing
  const { label, name, longestLine } = voice
  const merged = mergedLabels(corrections, label)

  function rename(newName: string) {
    setIsRenaming(false)
    const next = renameSpeaker(corrections, label, newName)
    const trimmed = newName.trim()
    if (next.names[label] === corrections.names[label]) return
    change(
      next,
      trimmed ? t('{name} is now {newName}', { name, newName: trimmed }) : t('Name of {name} removed', { name }),
    )
  }

  function playSample() {
    if (!longestLine) return
    player.seek(longestLine.start)
    if (!player.isPlaying) player.toggle()
  }

  return (
    <li className={classes.row} data-voice={voice.hue}>
      <Group gap="xs" wrap="nowrap" miw={0}>
        <SpeakerChip speaker={{ ...voice, name: '' }} />
        <SpeakerName
          voice={voice}
          isEditing={isRenaming}
          onEdit={() => setIsRenaming(true)}
          onCancel={() => setIsRenaming(false)}
          onSave={rename}
        />
        {merged.length > 0 && (
          <span
            className={classes.merged}
            title={t('With {speakers}', { speakers: merged.map(labelName).join(comma) })}
          >
            + {merged.map((other) => other.replace(/^Speaker /, '')).join(comma)}
          </span>
        )}
      </Group>
      <SpeakerLane spans={voice.spans} durationSeconds={player.durationSeconds} />
      <span className={classes.time}>
        {formatClock(voice.talkingSeconds)} <span className={classes.share}>{formatPercent(voice.share)}</span>
      </span>
      <div className={classes.actions}>
        <IconButton
          label={t('Play a sample of {name}', { name: isolateName(name) })}
          disabled={!longestLine}
          onClick={playSample}
        >
          <IconPlayerPlay size={18} stroke={1.5} />
        </IconButton>
        {canEdit && (
          <SpeakerMenu
            voice={voice}
            merged={merged}
            onRename={() => setIsRenaming(true)}
            onRemoveName={() => rename('')}
            onMerge={(into) =>
              change(
                mergeSpeakers(corrections, label, into),
                t('{name} merged into {into}', { name: isolateName(name), into: isolateName(describe(into).name) }),
              )
            }
            onSeparate={(other) =>
              change(
                separateSpeaker(corrections, other),
                t('{other} separated from {name}', { other: labelName(other), name: isolateName(name) }),
              )
            }
          />
        )}
      </div>
    </li>
  )
}

/** Where in the recording a voice speaks. Decorative, since the timeline says the same as text. */
function SpeakerLane({ spans, durationSeconds }: { spans: Voice['spans']; durationSeconds: number }) {
  return (
    <div className={classes.lane} aria-hidden>
      <svg viewBox={`0 0 ${width} 1`} preserveAspectRatio="none">
        {spans.map(({ from, to }) => (
          <rect key={from} x={from * width} width={(to - from) * width} height={1} />
        ))}
      </svg>
      <Playhead durationSeconds={durationSeconds} />
    </div>
  )
}

function Playhead({ durationSeconds }: { durationSeconds: number }) {
  const time = useAtomValue(playerTimeAtom)
  const share = durationSeconds > 0 ? Math.min(1, time / durationSeconds) : 0
  return <span className={classes.playhead} style={{ insetInlineStart: `${share * 100}%` }} />
}
