import { Group } from '@mantine/core'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { t } from '#contract/texts/t.ts'
import { CaseChip } from '../../../shared/cases/case-chip.tsx'
import { useCasesOfRecording } from '../../../shared/cases/use-cases-of-recording.ts'
import { useDesk } from '../state/desk-context.ts'
import common from '../../../shared/ui/common.module.css'

const reasons = {
  owner: t('Members of these cases read this recording.'),
  edit: t('You may correct this recording. Its owner alone transcribes, translates and renames it.'),
  view: t('You may read this recording. Ask the owner of the case for the right to correct it.'),
}

/** Says that a recording is shared, in which cases, and what that means here. Nothing where it is not. */
export function SharedNotice() {
  const { recording } = useDesk()
  const cases = useCasesOfRecording(recording) ?? []
  const { access } = recording
  if (access === 'owner' && cases.length === 0) return null
  return (
    <Group
      gap="0.25rem 0.5rem"
      py={4}
      px="md"
      c="dimmed"
      bg="var(--awaz-sunken)"
      fz="sm"
      className={common.lineBelow}
      role="note"
    >
      <IconUsers size={16} stroke={1.5} aria-hidden />
      {cases.map((shown) => (
        <CaseChip key={shown.id} shown={shown} />
      ))}
      <span>{reasons[access]}</span>
    </Group>
  )
}
