import { Button, Popover } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import type { ReactNode } from 'react'
import { t } from '#contract/texts/t.ts'
import type { TranscriptionWarning } from '#contract/transcription.ts'
import { rich } from '../../../shared/texts/rich.tsx'
import { usePlayer } from '../player/player-context.ts'
import { groupWarnings } from './group-warnings.ts'
import classes from './remarks-button.module.css'
import { TranscriptWarnings } from './transcript-warnings.tsx'

interface RemarksButtonProps {
  warnings: TranscriptionWarning[]
  isBusy: boolean
  /** Undefined if the user may not transcribe. */
  onPartByPart: ((channel: number | undefined) => void) | undefined
}

/** An empty list of lines already says these itself. */
const codesOfEmptyList: ReadonlySet<string> = new Set(['no_speech', 'no_words'])

const renderWord = (children: ReactNode[]) => <span className={classes.word}>{children}</span>

/** A button that opens the warnings of a transcript; renders nothing if there are none. */
export function RemarksButton({ warnings: all, isBusy, onPartByPart }: RemarksButtonProps) {
  const { seek } = usePlayer()
  const warnings = all.filter(({ code }) => !codesOfEmptyList.has(code))
  const remarkCount = groupWarnings(warnings).length
  if (remarkCount === 0) return null
  return (
    <Popover width="min(28rem, 92vw)" position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="light"
          color="amber"
          size="compact-sm"
          flex="none"
          aria-label={t('{remarkCount, plural, one {# remark} other {# remarks}}', { remarkCount })}
          leftSection={<IconAlertTriangle size={16} stroke={1.5} aria-hidden />}
        >
          {rich('{remarkCount, plural, one {#<b> remark</b>} other {#<b> remarks</b>}}', {
            remarkCount,
            b: renderWord,
          })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Remarks')}>
        <TranscriptWarnings warnings={warnings} onSeek={seek} onPartByPart={onPartByPart} isBusy={isBusy} />
      </Popover.Dropdown>
    </Popover>
  )
}
