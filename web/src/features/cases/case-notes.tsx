import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import IconNotes from '@tabler/icons-react/dist/esm/icons/IconNotes.mjs'
import { useState } from 'react'
import type { CaseDetails } from '#contract/cases.ts'
import { t } from '#contract/texts/t.ts'
import { DirectionalText } from '../../shared/ui/directional-text.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import classes from './case-notes.module.css'
import { useUpdateCase } from './use-cases.ts'

const maxCharacters = 20_000

/** What the members write down about a case. */
export function CaseNotes({ shown, notes }: { shown: CaseDetails; notes: string }) {
  const [draft, setDraft] = useState<string | null>(null)
  const update = useUpdateCase(shown.id)
  const canEdit = shown.role === 'owner' || shown.role === 'edit'
  const save = () => update.mutate({ notes: draft ?? '' }, { onSuccess: () => setDraft(null) })
  return (
    <Panel
      title={t('Notes')}
      icon={<IconNotes size={20} stroke={1.5} aria-hidden />}
      actions={
        canEdit &&
        draft === null && (
          <Button variant="default" size="xs" onClick={() => setDraft(notes)}>
            {notes ? t('Edit notes') : t('Write notes')}
          </Button>
        )
      }
    >
      {draft === null ? (
        <ShownNotes notes={notes} />
      ) : (
        <Stack gap="xs">
          <Textarea
            aria-label={t('Notes of the case')}
            autosize
            minRows={4}
            maxRows={16}
            maxLength={maxCharacters}
            value={draft}
            data-autofocus
            ref={(field) => field?.focus()}
            onChange={({ currentTarget }) => setDraft(currentTarget.value)}
            onKeyDown={({ key }) => key === 'Escape' && setDraft(null)}
          />
          <Group gap="xs" justify="flex-end" wrap="nowrap">
            <Button variant="default" size="xs" onClick={() => setDraft(null)}>
              {t('Cancel')}
            </Button>
            <Button size="xs" loading={update.isPending} onClick={save}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      )}
    </Panel>
  )
}

function ShownNotes({ notes }: { notes: string }) {
  if (!notes)
    return (
      <Text c="dimmed" fz="sm">
        {t('Nothing is written down yet.')}
      </Text>
    )
  return (
    <DirectionalText as="p" language={null} className={classes.notes}>
      {notes}
    </DirectionalText>
  )
}
