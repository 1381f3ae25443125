import { Stack, Title, ActionIcon, Button, FileButton, Group, Text, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { Link, useNavigate } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import type { Job } from '#contract/entities/job.ts'
import { audioExtensions } from '#contract/entities/recording.ts'
import { useTitle } from '../../shared/use-title.ts'
import { BatchProgress } from '../batches/batch-progress.tsx'
import { isActive } from '../../shared/events/jobs.ts'
import { refreshLists } from '../../shared/events/refresh-lists.ts'
import common from '../../shared/ui/common.module.css'
import { formatSpan } from '../../shared/format.ts'
import { useOwnRetention } from '../../shared/recordings/own-retention.ts'
import { useStats } from '../../shared/recordings/recordings.ts'
import { useUploads } from '../../shared/uploads/uploads.ts'
import { FeatureCards, useAreFeaturesShown } from './feature-cards.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FilterChips } from './filter-chips.tsx'
import { isRecentFirst, isUnfiltered } from './library-address.ts'
import { LibraryContent } from './library-content.tsx'
import classes from './library-page.module.css'
import { useLibrary } from './use-library.ts'
import { Welcome } from './welcome.tsx'

/** The engine counts hits within about a second after a job. */
const delayMs = 3000

/** Refetches the list a moment after a job ends, once the hits in its result are counted; no event reports that. */
function useRefreshAfterJobs(): void {
  const client = useQueryClient()
  useEffect(() => {
    let activeIds = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = client.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' || query.queryKey[0] !== 'jobs') return
      const jobs = Object.values(client.getQueryData<Record<string, Job>>(['jobs']) ?? {})
      const nowActive = new Set(jobs.filter(isActive).map(({ id }) => id))
      if ([...activeIds].some((id) => !nowActive.has(id))) {
        clearTimeout(timer)
        timer = setTimeout(() => void refreshLists(client, ['recordings']), delayMs)
      }
      activeIds = nowActive
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client])
}

const featuresId = 'library-features'
const headingId = 'library-list-heading'

/** Home: the user's recordings, or how to begin if there are none (audio-workflow specification, section 2). */
export function LibraryPage() {
  const library = useLibrary()
  useRefreshAfterJobs()
  const [areFeaturesShown, setAreFeaturesShown] = useAreFeaturesShown()
  const { view, rows } = library
  const isKnown = !rows.isPending && !rows.isStale && !rows.isError
  const isEmpty = isKnown && rows.total === 0 && isUnfiltered(view.filter)
  useTitle(isEmpty ? t('Transcribe & Translate') : t('Library'))
  if (isEmpty) return <Welcome />
  return (
    <Stack gap={0} flex={1} mih={0} bg="var(--awaz-surface)" data-fills-screen>
      <LibraryHeader featuresId={featuresId} areFeaturesShown={areFeaturesShown} onShowFeatures={setAreFeaturesShown} />
      {areFeaturesShown && <FeatureCards isCompact id={featuresId} />}
      <BatchProgress />
      <div className={classes.tools}>
        <Title order={2} id={headingId} className={classes.heading}>
          {isRecentFirst(view) ? t('Recent Activity') : t('Recordings')}
        </Title>
        <FilterBar view={view} />
      </div>
      {!rows.isPending && <FilterChips view={view} total={rows.total} />}
      {/* Shown only where recordings exist (specification, section 2). */}
      <Stack component="section" gap={0} flex={1} mih={0} className={common.lineAbove} aria-labelledby={headingId}>
        <LibraryContent library={library} />
      </Stack>
    </Stack>
  )
}

const accept = audioExtensions.map((extension) => `.${extension}`).join(',')

interface LibraryHeaderProps {
  /** The id of the feature cards, when shown. */
  featuresId: string
  areFeaturesShown: boolean
  onShowFeatures: (areShown: boolean) => void
}

/** The title, figures, the switch for the feature cards, the link to the trash, and the upload button. */
function LibraryHeader({ featuresId, areFeaturesShown, onShowFeatures }: LibraryHeaderProps) {
  const uploads = useUploads()
  const navigate = useNavigate()

  function upload(files: File[]) {
    if (uploads.add(files) > 0) void navigate('/upload')
  }

  return (
    <Group component="header" gap="xs" justify="space-between" wrap="nowrap" p="0.75rem 1rem 0.25rem">
      <Group gap="0 1rem" align="baseline" miw={0}>
        <Title order={1} size="h2">
          {t('Library')}
        </Title>
        <Figures />
      </Group>
      <Button
        className={classes.features}
        variant="subtle"
        color="gray"
        size="sm"
        px="xs"
        aria-label={t('What Awaz does')}
        aria-expanded={areFeaturesShown}
        aria-controls={areFeaturesShown ? featuresId : undefined}
        leftSection={<IconInfoCircle size={18} stroke={1.5} aria-hidden />}
        onClick={() => onShowFeatures(!areFeaturesShown)}
      >
        <span className={classes.featuresLabel}>{t('What Awaz does')}</span>
      </Button>
      <Tooltip label={t('Trash')}>
        <ActionIcon component={Link} to="/trash" variant="subtle" color="gray" size="lg" aria-label={t('Trash')}>
          <IconTrash size={18} stroke={1.5} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <FileButton multiple accept={accept} onChange={upload} inputProps={{ 'aria-label': t('Recordings to upload') }}>
        {(props) => (
          <Button
            {...props}
            className={classes.upload}
            size="sm"
            title={t('Or drop files anywhere')}
            leftSection={<IconUpload size={16} stroke={1.75} aria-hidden />}
          >
            {t('Upload')}
          </Button>
        )}
      </FileButton>
    </Group>
  )
}

/** The figures of the dashboard (audio-workflow specification, section 3) in one line. */
function Figures() {
  const { data: stats } = useStats()
  const retention = useOwnRetention()
  if (!stats) return null
  const { totalFiles: files, totalDuration: seconds, languagesProcessed: languages } = stats
  const figures = [
    t('{total, plural, one {# recording} other {# recordings}}', { total: files }),
    t('{span} of audio', { span: formatSpan(seconds) }),
    t('{count, plural, one {# language} other {# languages}}', { count: languages }),
  ]
  if (retention && retention.days > 0)
    figures.push(t('{days, plural, =1 {kept for a day} other {kept for # days}}', { days: retention.days }))
  if (retention?.has_case_days) figures.push(t('some cases have other periods'))
  return (
    <Text c="dimmed" fz="sm" className={common.figures}>
      {figures.join(' · ')}
    </Text>
  )
}
