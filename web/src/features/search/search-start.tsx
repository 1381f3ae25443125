import { Button, Title } from '@mantine/core'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { Link } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import type { RecentSearchesState } from './recent-searches.ts'
import { SearchRules } from './search-help.tsx'
import { writeSearchView } from './search-address.ts'
import classes from './search-start.module.css'

/** Before anything is typed: what is searched, and what was searched last. */
export function SearchStart({ recent: { recent, clear } }: { recent: RecentSearchesState }) {
  return (
    <div className={classes.start}>
      <section className={classes.part} aria-label={t('How to search')}>
        <Title order={2}>{t('Every word of your calls')}</Title>
        <p className={classes.lead}>
          {t(
            'Transcripts, translations, notes and names are searched together. Case, accents and spellings of Arabic letters make no difference.',
          )}
        </p>
        <SearchRules />
      </section>
      {recent.length > 0 && (
        <section className={classes.part} aria-label={t('Recent searches')}>
          <header className={classes.head}>
            <Title order={2}>{t('Recent searches')}</Title>
            <Button variant="subtle" color="gray" size="compact-sm" h={28} onClick={clear}>
              {t('Clear')}
            </Button>
          </header>
          <ul className={classes.recent}>
            {recent.map((q) => (
              <li key={q}>
                <Link
                  to={`/search?${writeSearchView({ q, sort: 'newest', spelling: 'any', filter: {} })}`}
                  className={classes.link}
                >
                  <IconHistory size={16} stroke={1.5} aria-hidden />
                  <Isolated>{q}</Isolated>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
