import { Button, Group, Text } from '@mantine/core'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconSearchOff from '@tabler/icons-react/dist/esm/icons/IconSearchOff.mjs'
import { Link } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { listConditions } from './describe-search.ts'
import classes from './nothing-found.module.css'
import { writeSearchView } from './search-address.ts'
import { SearchRules } from './search-help.tsx'
import type { SearchViewState } from './use-search-view.ts'

interface NothingFoundProps {
  view: SearchViewState
  /** The query with similar words that do occur; null if there are none. */
  suggestion: string | null
}

/** Says what was searched for, and offers other words and fewer conditions. */
export function NothingFound({ view, suggestion }: NothingFoundProps) {
  const conditions = listConditions(view.filter)
  return (
    <Notice
      title={t('Nothing found')}
      icon={<IconSearchOff size={22} stroke={1.5} />}
      action={
        conditions.length > 0 && (
          <Group gap="xs" align="stretch" justify="center">
            {conditions.map(({ field, name, value, without }) => (
              <Button key={field} variant="default" onClick={() => view.setFilter(without)}>
                {rich('Search without {name}:\u00a0{value}', { name, value: <Isolated>{value}</Isolated> })}
              </Button>
            ))}
          </Group>
        )
      }
    >
      <div className={classes.text}>
        {suggestion && (
          <Text fz="lg" c="var(--mantine-color-text)">
            {rich('Did you mean {suggestion}?', {
              suggestion: (
                <Link to={`/search?${writeSearchView({ ...view, q: suggestion })}`}>
                  <Isolated>{suggestion}</Isolated>
                </Link>
              ),
            })}
          </Text>
        )}
        <p>
          {rich('Transcripts, translations, notes and names were searched for “{query}”.', {
            query: <Isolated>{view.q}</Isolated>,
          })}{' '}
          {conditions.length > 0
            ? t('A filter may leave out what you look for.')
            : t('Try fewer words, or the beginning of one with an asterisk.')}
        </p>
      </div>
    </Notice>
  )
}

/** Says why a query cannot be searched for, and which queries can. */
export function QueryProblem({ problem }: { problem: string }) {
  return (
    <div role="status">
      <Notice title={problem} icon={<IconPencil size={22} stroke={1.5} />}>
        <Text component="div" inherit ta="start">
          <SearchRules />
        </Text>
      </Notice>
    </div>
  )
}
