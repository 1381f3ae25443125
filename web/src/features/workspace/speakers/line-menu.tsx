import { ActionIcon, Menu } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import type { Segment } from '#contract/transcription.ts'
import { formatClock } from '../../../shared/format.ts'
import classes from './line-menu.module.css'
import { SpeakerChip } from './speaker-chip.tsx'
import { useSpeakers } from './recording-speakers.ts'

/** Moves a line to another speaker. */
export function LineMenu({ line }: { line: Segment }) {
  const { describe, voices, movedFrom, move } = useSpeakers()
  const foundLabel = movedFrom(line)
  const found = foundLabel === undefined ? undefined : describe(foundLabel).label
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon
          className={classes.target}
          variant="subtle"
          color="gray"
          aria-label={`Speaker of the line at ${formatClock(line.start)}`}
          title="Change the speaker of this line"
        >
          <IconDots size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Who says this line</Menu.Label>
        <Menu.RadioGroup value={line.speaker ?? ''} onChange={(label) => move?.(line, label)}>
          {voices.map((voice) => (
            <Menu.RadioItem key={voice.label} value={voice.label} closeMenuOnClick>
              <SpeakerChip speaker={voice} isNamed />
              {voice.label === found && <span className={classes.found}>as found</span>}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
