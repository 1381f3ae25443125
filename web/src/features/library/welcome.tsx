import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { useOwnRetention } from '../../shared/recordings/own-retention.ts'
import { useStorage } from '../../shared/storage/use-storage.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { DropTarget } from '../../shared/uploads/drop-target.tsx'
import { useUploads } from '../../shared/uploads/uploads.ts'
import { FeatureCards } from './feature-cards.tsx'
import { MemberCases } from './member-cases.tsx'

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

/** The way back for those who deleted all they had. */
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
