import { Box, Button, Group, Stack, Text, Title } from '@mantine/core'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { Link } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import type { RecentSearchesState } from './recent-searches.ts'
import { SearchRules } from './search-help.tsx'
import { writeSearchView } from './search-address.ts'
import classes from './search-start.module.css'
import common from '../../shared/ui/common.module.css'

/** Shown before anything is typed: what is searched, and recent searches. */
export function SearchStart({ recent: { recent, clear } }: { recent: RecentSearchesState }) {
  return (
    <div className={classes.start}>
      <Stack component="section" gap="sm" p={20} className={common.surface} aria-label={t('How to search')}>
        <Title order={2}>{t('Every word of your calls')}</Title>
        <Text c="dimmed" inherit>
          {t(
            'Transcripts, translations, notes and names are searched together. Case, accents and spellings of Arabic letters make no difference.',
          )}
        </Text>
        <SearchRules />
      </Stack>
      {recent.length > 0 && (
        <Stack component="section" gap="sm" p={20} className={common.surface} aria-label={t('Recent searches')}>
          <Group component="header" justify="space-between" wrap="nowrap">
            <Title order={2}>{t('Recent searches')}</Title>
            <Button variant="subtle" color="gray" size="compact-sm" h={28} onClick={clear}>
              {t('Clear')}
            </Button>
          </Group>
          <Box component="ul" my={0} mx="-0.5rem">
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
          </Box>
        </Stack>
      )}
    </div>
  )
}
