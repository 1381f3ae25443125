import { Text, Anchor, Box, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { useOwnRetention } from '../../shared/recordings/own-retention.ts'
import { useStorage } from '../../shared/storage/use-storage.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { DropTarget } from '../../shared/uploads/drop-target.tsx'
import { useUploads } from '../../shared/uploads/uploads.ts'
import common from '../../shared/ui/common.module.css'
import { CaseRow } from '../cases/case-row.tsx'
import { useCases } from '../cases/use-cases.ts'
import { FeatureCards } from './feature-cards.tsx'

/** Further cases are on the cases page. */
const maxShown = 5

/** Home before the first recording: a large drop target and what the product does. */
export function Welcome() {
  const retention = useOwnRetention()
  const uploads = useUploads()
  const navigate = useNavigate()

  function upload(files: File[]) {
    if (uploads.add(files) > 0) void navigate('/upload')
  }

  return (
    <Page
      title={t('Transcribe & Translate')}
      lead={`${t('Drop a recording to begin.')} ${retention ? describeRetention(retention.days) : ''}`}
    >
      <MemberCases />
      <DropTarget onFiles={upload} isLarge />
      <TrashHint />
      <FeatureCards />
    </Page>
  )
}

/** Points users who deleted all their recordings to the trash. */
function TrashHint() {
  const { data } = useStorage()
  if (!data || data.trash === 0) return null
  return (
    <Text inherit my="1em">
      {rich('What you deleted is in the <a>trash</a>.', { a: linkToTrash })}
    </Text>
  )
}

function linkToTrash(children: ReactNode[]): ReactNode {
  return <Link to="/trash">{children}</Link>
}

function describeRetention(retentionDays: number): string {
  if (retentionDays === 0) return t('It stays on this server.')
  return t('It stays on this server and is deleted after {days, plural, =1 {a day} other {# days}}.', {
    days: retentionDays,
  })
}

/** The cases of a user without recordings, for members who came to read those of others. Renders nothing without cases. */
function MemberCases() {
  const headingId = useId()
  const { data } = useCases({ scope: 'mine', search: '', page: 1 })
  if (!data || data.total === 0) return null
  return (
    <Box component="section" mb="lg" aria-labelledby={headingId}>
      <Title order={2} id={headingId} size="h4" mb="xs">
        {t('Your cases')}
      </Title>
      <ul className={`${common.surface} ${common.clip}`}>
        {data.cases.slice(0, maxShown).map((shown) => (
          <CaseRow key={shown.id} shown={shown} />
        ))}
      </ul>
      {data.total > maxShown && (
        <Anchor component={Link} to="/cases" display="inline-block" my="xs" underline="always">
          {t('All {count, number} cases', { count: data.total })}
        </Anchor>
      )}
    </Box>
  )
}
