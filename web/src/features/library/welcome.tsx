import { useNavigate } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { Page } from '../../shared/ui/page.tsx'
import { DropTarget } from '../../shared/uploads/drop-target.tsx'
import { useUploads } from '../../shared/uploads/uploads.ts'
import { FeatureCards } from './feature-cards.tsx'

/** Home before the first recording: a large drop target and what the product does. */
export function Welcome({ retentionDays }: { retentionDays: number }) {
  const uploads = useUploads()
  const navigate = useNavigate()

  function upload(files: File[]) {
    if (uploads.add(files) > 0) void navigate('/upload')
  }

  return (
    <Page
      title={t('Transcribe & Translate')}
      lead={`${t('Drop a recording to begin.')} ${describeRetention(retentionDays)}`}
    >
      <DropTarget onFiles={upload} isLarge />
      <FeatureCards />
    </Page>
  )
}

function describeRetention(retentionDays: number): string {
  if (retentionDays === 0) return t('It stays on this server.')
  return t('It stays on this server and is deleted after {days, plural, =1 {a day} other {# days}}.', {
    days: retentionDays,
  })
}
