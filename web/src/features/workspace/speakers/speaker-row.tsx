import { Group } from '@mantine/core'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { useState } from 'react'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { comma, formatClock, formatPercent } from '../../../shared/format.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { usePlayer } from '../player/player-context.ts'
import { labelName } from './describe-speaker.ts'
import { mergedLabels, mergeSpeakers, renameSpeaker, separateSpeaker } from './edit-corrections.ts'
import { SpeakerChip } from './speaker-chip.tsx'
import { usePermissions } from '../state/permissions.ts'
import { useSpeakers } from './recording-speakers.ts'
import { SpeakerLane } from './speaker-lane.tsx'
import { SpeakerMenu } from './speaker-menu.tsx'
import { SpeakerName } from './speaker-name.tsx'
import classes from './speaker-row.module.css'
import type { useSpeakerCorrections } from './use-speaker-corrections.ts'
import type { Voice } from './voices.ts'

interface SpeakerRowProps {
  voice: Voice
  editing: ReturnType<typeof useSpeakerCorrections>
}

/** One speaker: name, where and how long the voice speaks, and its actions. */
export function SpeakerRow({ voice, editing }: SpeakerRowProps) {
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
