import { Stack, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { t } from '#contract/texts/t.ts'
import type { Job } from '#contract/entities/job.ts'
import { useTitle } from '../../shared/use-title.ts'
import { BatchProgress } from '../batches/batch-progress.tsx'
import { isActive } from '../../shared/events/jobs.ts'
import { refreshLists } from '../../shared/events/refresh-lists.ts'
import { FeatureCards, useAreFeaturesShown } from './feature-cards.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FilterChips } from './filter-chips.tsx'
import { isRecentFirst, isUnfiltered } from './library-address.ts'
import { LibraryContent } from './library-content.tsx'
import { LibraryHeader } from './library-header.tsx'
import classes from './library-page.module.css'
import { useLibrary } from './use-library.ts'
import { Welcome } from './welcome.tsx'
import common from '../../shared/ui/common.module.css'

/** The engine counts hits within about a second after a job. */
const delayMs = 3000

/** Fetches the list again a moment after a job has ended, when the hits in its result are counted: no event reports that. */
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

/** Home: the user's recordings; without any, how to begin (audio-workflow specification, section 2). */
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
