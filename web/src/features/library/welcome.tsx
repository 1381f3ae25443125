import { Text } from '@mantine/core'
import IconArrowsLeftRight from '@tabler/icons-react/dist/esm/icons/IconArrowsLeftRight.mjs'
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs'
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs'
import { useNavigate } from 'react-router-dom'
import { Page } from '../../shared/ui/page.tsx'
import { DropTarget } from '../../shared/uploads/drop-target.tsx'
import { useUploads } from '../../shared/uploads/uploads.ts'
import classes from './welcome.module.css'

const features = [
  {
    icon: IconArrowsLeftRight,
    title: 'Two speakers, kept apart',
    text: 'Left and right channel become two speakers, each with their own words and times.',
  },
  {
    icon: IconLanguage,
    title: 'Translated line by line',
    text: 'AI transcription, and translation into 50+ languages beside it, in both writing directions.',
  },
  {
    icon: IconListSearch,
    title: 'Scanned for your keywords',
    text: 'Threats, sentiment, intent and your own words, marked in both texts.',
  },
]

/** Home before the first recording: a large drop target and what the product does. */
export function Welcome({ retentionDays }: { retentionDays: number }) {
  const uploads = useUploads()
  const navigate = useNavigate()

  function upload(files: File[]) {
    if (uploads.add(files) > 0) void navigate('/upload')
  }

  return (
    <Page title="Transcribe & Translate" lead={`Drop a recording to begin. ${describeRetention(retentionDays)}`}>
      <DropTarget onFiles={upload} isLarge />
      <div className={classes.features}>
        {features.map(({ icon: Icon, title, text }) => (
          <section key={title} className={classes.feature}>
            <Icon size={22} stroke={1.5} color="var(--awaz-accent)" aria-hidden />
            <h2>{title}</h2>
            <Text c="dimmed" size="sm">
              {text}
            </Text>
          </section>
        ))}
      </div>
    </Page>
  )
}

function describeRetention(retentionDays: number): string {
  if (retentionDays === 0) return 'It stays on this server.'
  return `It stays on this server and is deleted after ${retentionDays === 1 ? 'a day' : `${retentionDays} days`}.`
}
