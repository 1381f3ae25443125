import { Anchor, Box, Title } from '@mantine/core'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import common from '../../shared/ui/common.module.css'
import { CaseRow } from '../cases/case-row.tsx'
import { useCases } from '../cases/use-cases.ts'

/** More than these are on the page of the cases. */
const maxShown = 5

/** The cases of a user without recordings, for members who came to read those of others. Shows nothing without cases. */
export function MemberCases() {
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
