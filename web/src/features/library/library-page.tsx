import { Title } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { useServerConfig } from '../../shared/config.ts'
import { useTitle } from '../../shared/use-title.ts'
import { BatchProgress } from '../batches/batch-progress.tsx'
import { FeatureCards, useAreFeaturesShown } from './feature-cards.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FilterChips } from './filter-chips.tsx'
import { isRecentFirst, isUnfiltered } from './library-address.ts'
import { LibraryContent } from './library-content.tsx'
import { LibraryHeader } from './library-header.tsx'
import classes from './library-page.module.css'
import { useLibrary } from './use-library.ts'
import { useRefreshAfterJobs } from './use-refresh-after-jobs.ts'
import { Welcome } from './welcome.tsx'

const featuresId = 'library-features'
const headingId = 'library-list-heading'

/** Home: the user's recordings; without any, how to begin (audio-workflow specification, section 2). */
export function LibraryPage() {
  const library = useLibrary()
  useRefreshAfterJobs()
  const retentionDays = useServerConfig()?.retention_days ?? 0
  const [areFeaturesShown, setAreFeaturesShown] = useAreFeaturesShown()
  const { view, rows } = library
  const isKnown = !rows.isPending && !rows.isStale && !rows.isError
  const isEmpty = isKnown && rows.total === 0 && isUnfiltered(view.filter)
  useTitle(isEmpty ? t('Transcribe & Translate') : t('Library'))
  if (isEmpty) return <Welcome retentionDays={retentionDays} />
  return (
    <div className={classes.page} data-fills-screen>
      <LibraryHeader
        retentionDays={retentionDays}
        featuresId={featuresId}
        areFeaturesShown={areFeaturesShown}
        onShowFeatures={setAreFeaturesShown}
      />
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
      <section className={classes.recent} aria-labelledby={headingId}>
        <LibraryContent library={library} />
      </section>
    </div>
  )
}
