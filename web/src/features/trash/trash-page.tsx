import { Button, Group, Text } from '@mantine/core'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { Response } from '#contract/endpoint.ts'
import type { library } from '#contract/endpoints/library.ts'
import { t } from '#contract/texts/t.ts'
import { formatSize } from '../../shared/format.ts'
import { StorageUse } from '../../shared/storage/storage-use.tsx'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { DeleteDialog, type DeleteQuestion } from './delete-dialog.tsx'
import { TrashList } from './trash-list.tsx'
import { useTrash } from './use-trash.ts'

/** The recordings that the user has deleted and can still restore. */
export function TrashPage() {
  const [page, setPage] = useState(1)
  const { data, isError, refetch } = useTrash(page)
  return (
    <Page title={t('Trash')} lead={data && describeDays(data.days)}>
      {!data && isError && <ErrorNotice message={t('The trash could not be loaded.')} onRetry={() => void refetch()} />}
      {!data && !isError && <LoadingNotice label={t('Loading the trash')} />}
      {data?.total === 0 && <EmptyTrash />}
      {data && data.total > 0 && <Trash trash={data} onPage={setPage} />}
      <StorageUse />
    </Page>
  )
}

function describeDays(days: number): string {
  if (days === 0) return t('A deleted recording can be restored for ten minutes. Then it is deleted for good.')
  return t(
    'A deleted recording can be restored for {days, plural, =1 {a day} other {# days}}. Then it is deleted for good.',
    {
      days,
    },
  )
}

function EmptyTrash() {
  return (
    <Notice
      title={t('The trash is empty')}
      icon={<IconTrash size={22} stroke={1.5} />}
      action={
        <Button component={Link} to="/dashboard" variant="default">
          {t('Go to the library')}
        </Button>
      }
    >
      {t('What you delete comes here first, with its transcript and translations.')}
    </Notice>
  )
}

interface TrashProps {
  trash: Response<typeof library.listTrash>
  onPage: (page: number) => void
}

function Trash({ trash, onPage }: TrashProps) {
  const [question, setQuestion] = useState<DeleteQuestion | null>(null)
  // The first page begins with the most recently deleted recording: nothing deleted after that is removed unseen.
  const newest = trash.recordings[0]?.removed_at
  return (
    <>
      <Group gap="0.5rem 1rem" justify="space-between" mb="sm">
        <Text c="dimmed" inherit>
          {t('{total, plural, one {# recording} other {# recordings}}, {size}', {
            total: trash.total,
            size: formatSize(trash.total_size),
          })}
        </Text>
        {trash.page === 1 && newest && (
          <Button
            variant="default"
            size="sm"
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} stroke={1.5} aria-hidden />}
            onClick={() => setQuestion({ count: trash.total, chosen: { removed_by: newest } })}
          >
            {t('Empty the trash')}
          </Button>
        )}
      </Group>
      <TrashList trash={trash} onPage={onPage} onDelete={setQuestion} />
      <DeleteDialog question={question} onClose={() => setQuestion(null)} />
    </>
  )
}
