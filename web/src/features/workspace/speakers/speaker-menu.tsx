import { ActionIcon, Menu } from '@mantine/core'
import IconArrowMerge from '@tabler/icons-react/dist/esm/icons/IconArrowMerge.mjs'
import IconArrowsSplit2 from '@tabler/icons-react/dist/esm/icons/IconArrowsSplit2.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPencilX from '@tabler/icons-react/dist/esm/icons/IconPencilX.mjs'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { labelName } from './describe-speaker.ts'
import { SpeakerChip } from './speaker-chip.tsx'
import { useSpeakers } from './recording-speakers.ts'
import type { Voice } from './voices.ts'

interface SpeakerMenuProps {
  voice: Voice
  /** Labels that were merged into this speaker. */
  merged: string[]
  onRename: () => void
  onRemoveName: () => void
  onMerge: (into: string) => void
  onSeparate: (label: string) => void
}

const iconProps = { size: 16, stroke: 1.5, 'aria-hidden': true } as const

/** The corrections to a speaker. None asks for confirmation, since every change can be undone. */
export function SpeakerMenu({ voice, merged, onRename, onRemoveName, onMerge, onSeparate }: SpeakerMenuProps) {
  const { voices } = useSpeakers()
  // A silent channel always stays a separate speaker.
  const others = voice.longestLine
    ? voices.filter(({ label, longestLine }) => label !== voice.label && longestLine !== undefined)
    : []
  // Renaming moves the focus to its field; the menu must not take it back.
  const [returnsFocus, setReturnsFocus] = useState(true)

  function rename() {
    setReturnsFocus(false)
    onRename()
  }

  return (
    <Menu position="bottom-end" width={260} returnFocus={returnsFocus} onOpen={() => setReturnsFocus(true)}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('Actions for {name}', { name: voice.name })}>
          <IconDots size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil {...iconProps} />} onClick={rename}>
          {t('Rename')}
        </Menu.Item>
        {voice.isNameGiven && (
          <Menu.Item leftSection={<IconPencilX {...iconProps} />} onClick={onRemoveName}>
            {t('Remove the name')}
          </Menu.Item>
        )}
        {others.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Label>{t('Same person as')}</Menu.Label>
            {others.map((other) => (
              <Menu.Item
                key={other.label}
                leftSection={<IconArrowMerge {...iconProps} />}
                onClick={() => onMerge(other.label)}
              >
                <SpeakerChip speaker={other} isNamed />
              </Menu.Item>
            ))}
          </>
        )}
        {merged.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Label>{t('Merged by hand')}</Menu.Label>
            {merged.map((label) => (
              <Menu.Item
                key={label}
                leftSection={<IconArrowsSplit2 {...iconProps} />}
                onClick={() => onSeparate(label)}
              >
                {t('Separate {speaker}', { speaker: labelName(label) })}
              </Menu.Item>
            ))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
