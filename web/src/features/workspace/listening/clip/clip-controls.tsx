import { Button, Group, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { clipFormats, type ClipChannel } from '#contract/clip.ts'
import { t } from '#contract/texts/t.ts'
import { toastInfo } from '../../../../shared/toast.tsx'
import classes from '../listening.module.css'
import { useListeningSettings } from '../listening-settings.ts'
import { useSaveClip, type ClipRange } from './use-save-clip.ts'

const channels: { value: ClipChannel | 'both'; label: string }[] = [
  { value: 'both', label: t('Both') },
  { value: 'left', label: t('Left') },
  { value: 'right', label: t('Right') },
]
const formats = clipFormats.toReversed().map((format) => ({ value: format, label: format.toUpperCase() }))

interface ClipControlsProps {
  /** What is repeated, selected, or the line; undefined where there is none. */
  rangeAtHand: () => ClipRange | undefined
  isStereo: boolean
}

/** Saves a part of the recording as a file. */
export function ClipControls({ rangeAtHand, isStereo }: ClipControlsProps) {
  const { listening, change } = useListeningSettings()
  const { save, isSaving } = useSaveClip()
  // Not kept: a clip that lacks a channel is asked for each time.
  const [channel, setChannel] = useState<ClipChannel | 'both'>('both')

  function saveRange() {
    const range = rangeAtHand()
    if (!range) toastInfo(t('Go to a line, or select what is to be saved.'))
    else void save(range, { format: listening.clipFormat, ...(channel !== 'both' && { channel }) })
  }

  return (
    <section className={classes.section} aria-label={t('Clip')}>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          loading={isSaving}
          // The button must not take away what is selected.
          onMouseDown={(event) => event.preventDefault()}
          onClick={saveRange}
        >
          {t('Save clip')}
        </Button>
        <SegmentedControl
          size="xs"
          aria-label={t('Format of the clip')}
          data={formats}
          value={listening.clipFormat}
          onChange={(clipFormat) => change({ clipFormat })}
        />
      </Group>
      {isStereo && (
        <Group gap="0.25rem 0.75rem" justify="space-between" c="dimmed" fz="xs">
          <span id="clip-channels">{t('Channels of the clip')}</span>
          <SegmentedControl
            size="xs"
            aria-labelledby="clip-channels"
            data={channels}
            value={channel}
            onChange={setChannel}
          />
        </Group>
      )}
    </section>
  )
}
