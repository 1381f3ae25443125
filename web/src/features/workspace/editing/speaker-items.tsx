import { Menu, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import type { Segment } from '#contract/transcription.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'

/** Moves a line to another speaker; names the one that the engine found. */
export function SpeakerItems({ line }: { line: Segment }) {
  const { describe, voices, movedFrom, move } = useSpeakers()
  const foundLabel = movedFrom(line)
  const found = foundLabel === undefined ? undefined : describe(foundLabel).label
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('Who says this line')}</Menu.Label>
      <Menu.RadioGroup value={line.speaker ?? ''} onChange={(label) => move?.(line, label)}>
        {voices.map((voice) => (
          <Menu.RadioItem key={voice.label} value={voice.label} closeMenuOnClick>
            <SpeakerChip speaker={voice} isNamed />
            {voice.label === found && (
              <Text span inherit ms="xs" c="dimmed" fz="xs">
                {t('as found')}
              </Text>
            )}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}
