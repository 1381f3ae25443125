import { useSearchParams, Link } from 'react-router-dom'
import { Button, Stack, Group, Text, Textarea } from '@mantine/core'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconFolderOff from '@tabler/icons-react/dist/esm/icons/IconFolderOff.mjs'
import IconNotes from '@tabler/icons-react/dist/esm/icons/IconNotes.mjs'
import { useState } from 'react'
import type { CaseDetails } from '#contract/cases.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { WordListPanel } from '../../shared/word-lists/word-list-panel.tsx'
import { DirectionalText } from '../../shared/ui/directional-text.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { CaseList } from './case-list.tsx'
import { CaseHead } from './case-head.tsx'
import { CaseMembers } from './case-members.tsx'
import { CaseRecordings } from './case-recordings.tsx'
import classes from './cases-page.module.css'
import { useCase, useUpdateCase } from './use-cases.ts'

const maxCharacters = 20_000

/** All cases, or the one named in the address. */
export function CasesPage() {
  const [search] = useSearchParams()
  const id = search.get('case')
  return id ? <CaseView key={id} id={id} /> : <CaseList />
}

/** One case: its recordings, notes and members. */
function CaseView({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useCase(id)
  const isGone = error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_input')
  return (
    <div className={classes.page}>
      <Link to="/cases" className={classes.back}>
        <IconArrowLeft size={16} stroke={1.5} aria-hidden /> {t('Cases')}
      </Link>
      {isGone && <GoneNotice />}
      {!isGone && data && <LoadedCase shown={data} />}
      {isPending && <LoadingNotice label={t('Loading the case')} />}
      {!isGone && !data && error && (
        <ErrorNotice message={t('The case could not be loaded.')} onRetry={() => void refetch()} />
      )}
    </div>
  )
}

function LoadedCase({ shown }: { shown: CaseDetails }) {
  return (
    <>
      <CaseHead shown={shown} />
      <div className={classes.columns}>
        <CaseRecordings shown={shown} />
        <Stack>
          {shown.notes !== null && <CaseNotes key={shown.id} shown={shown} notes={shown.notes} />}
          {shown.role !== null && (
            <WordListPanel key={`words ${shown.id}`} caseId={shown.id} canEdit={shown.role !== 'view'} />
          )}
          <CaseMembers shown={shown} />
        </Stack>
      </div>
    </>
  )
}

function GoneNotice() {
  return (
    <Notice
      title={t('This case is not here')}
      icon={<IconFolderOff size={22} stroke={1.5} />}
      action={
        <Button component={Link} to="/cases" variant="default">
          {t('All cases')}
        </Button>
      }
    >
      {t('It was deleted, or you are not a member.')}
    </Notice>
  )
}

/** The members' notes about a case. */
function CaseNotes({ shown, notes }: { shown: CaseDetails; notes: string }) {
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
