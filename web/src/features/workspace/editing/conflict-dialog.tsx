import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { LineChange } from '#contract/line-edits.ts'
import { spokenLanguage } from '#contract/spoken-language.ts'
import { t } from '#contract/texts/t.ts'
import { formatClockRange } from '../../../shared/format.ts'
import { useDesk } from '../state/desk-context.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { SpeakerChip } from '../speakers/speaker-chip.tsx'
import classes from './conflict-dialog.module.css'
import { DiffText } from './diff-text.tsx'
import type { LineConflict } from '../state/line-editing.ts'
import { diffWords, type DiffPart } from './word-diff.ts'
import common from '../../../shared/ui/common.module.css'

interface ConflictDialogProps {
  conflicts: LineConflict[]
  isOpen: boolean
  onClose: () => void
}

/** Asks, for each line that was changed both here and elsewhere, which text to keep. */
export function ConflictDialog({ conflicts, isOpen, onClose }: ConflictDialogProps) {
  const { editing } = useDesk()

  function resolveAll(choice: 'mine' | 'theirs') {
    for (const conflict of conflicts) editing.resolve(choice, conflict)
  }

  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Changed here and elsewhere')} size="lg">
      <Text size="sm" c="dimmed">
        {t(
          '{count, plural, one {Another tab or person changed the same line.} other {Another tab or person changed the same lines.}} Nothing is lost until you choose.',
          { count: conflicts.length },
        )}
      </Text>
      <Stack component="ul" mt="md">
        {conflicts.map((conflict) => (
          <Conflict key={conflict.mine.flatMap(({ from }) => from).join(',')} conflict={conflict} />
        ))}
      </Stack>
      {conflicts.length > 1 && (
        <Group gap="xs" justify="flex-end" mt="md">
          <Button variant="default" onClick={() => resolveAll('theirs')}>
            {t('Keep all of theirs')}
          </Button>
          <Button variant="default" onClick={() => resolveAll('mine')}>
            {t('Keep all of mine')}
          </Button>
        </Group>
      )}
    </Modal>
  )
}

function Conflict({ conflict }: { conflict: LineConflict }) {
  const { editing } = useDesk()
  const { describe } = useSpeakers()
  const linesOf = useLinesOf()
  const [theirs, mine] = [linesOf(conflict.theirs), linesOf(conflict.mine)]
  const first = mine[0] ?? theirs[0]
  if (!first) return null
  const diff = diffWords(joinTexts(theirs), joinTexts(mine))
  const speaker = describe(first.speaker)
  const at = formatClockRange(first.start, Math.max(...mine.map(({ end }) => end)))
  return (
    <Stack component="li" gap="xs" aria-label={t('The line at {at}', { at })}>
      <Group gap="sm" wrap="nowrap">
        <Text span inherit c="dimmed" fz="sm" className={common.figures}>
          {at}
        </Text>
        <SpeakerChip speaker={speaker} isNamed />
      </Group>
      <Side title={t('Theirs')} parts={diff.a} language={first.language} count={theirs.length} other={mine.length}>
        <Button size="compact-sm" variant="default" onClick={() => editing.resolve('theirs', conflict)}>
          {t('Keep theirs')}
        </Button>
      </Side>
      <Side title={t('Mine')} parts={diff.b} language={first.language} count={mine.length} other={theirs.length}>
        <Button size="compact-sm" onClick={() => editing.resolve('mine', conflict)}>
          {t('Keep mine')}
        </Button>
      </Side>
    </Stack>
  )
}

interface SideProps {
  title: string
  parts: DiffPart[]
  language: string | null
  /** How many lines this side has, and how many the other has. */
  count: number
  other: number
  children: React.ReactNode
}

function Side({ title, parts, language, count, other, children }: SideProps) {
  return (
    <section className={classes.side} aria-label={title}>
      <div className={classes.sideHead}>
        <Text span size="sm" fw={560}>
          {title}
          {count !== other && (
            <Text span size="sm" c="dimmed">
              {' '}
              · {t('{count, plural, one {# line} other {# lines}}', { count })}
            </Text>
          )}
        </Text>
        {children}
      </div>
      <DiffText parts={parts} language={language} />
    </section>
  )
}

function joinTexts(lines: { text: string }[]): string {
  return lines.map(({ text }) => text).join('\n')
}

/** Returns a function that returns the lines of changes with their language; for a change that reverts, the engine's lines. */
function useLinesOf() {
  const { recording, transcription } = useDesk()
  const segments = recording.transcription?.segments ?? []
  return (changes: LineChange[]) =>
    changes.flatMap(({ from, lines }) => {
      const written = from.flatMap((index) => segments[index] ?? [])
      return (lines ?? written).map((line) => ({
        ...line,
        language: transcription && spokenLanguage(transcription, { ...written[0], ...line }),
      }))
    })
}
