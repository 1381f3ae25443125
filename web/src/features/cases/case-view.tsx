import { Button, Stack } from '@mantine/core'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconFolderOff from '@tabler/icons-react/dist/esm/icons/IconFolderOff.mjs'
import { Link } from 'react-router-dom'
import type { CaseDetails } from '#contract/cases.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { WordListPanel } from '../../shared/word-lists/word-list-panel.tsx'
import { CaseHead } from './case-head.tsx'
import { CaseMembers } from './case-members.tsx'
import { CaseNotes } from './case-notes.tsx'
import { CaseRecordings } from './case-recordings.tsx'
import classes from './case-view.module.css'
import { useCase } from './use-cases.ts'

/** One case: its recordings, notes and members. */
export function CaseView({ id }: { id: string }) {
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
