import { Box } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { Case } from '#contract/cases.ts'
import { t } from '#contract/texts/t.ts'
import { CaseMark } from '../../shared/cases/case-mark.tsx'
import { formatAgo, formatMoment } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { HoldBadge } from '../holds/hold-badge.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './case-row.module.css'
import { describeRole } from '../../shared/cases/describe-case.ts'

/** A case in the list: its name leads to it. */
export function CaseRow({ shown }: { shown: Case }) {
  const { id, name, colour, role, owner, member_count: members, recording_count: recordings } = shown
  return (
    <li className={classes.row}>
      <CaseMark colour={colour} />
      <Box flex={1} miw={0}>
        <Link to={`/cases?case=${id}`} className={classes.name}>
          <Isolated isCut>{name}</Isolated>
        </Link>
        <p className={classes.facts}>
          <span>{t('{recordings, plural, one {# recording} other {# recordings}}', { recordings })}</span>
          <span>{t('{count, plural, one {# member} other {# members}}', { count: members })}</span>
          {shown.is_held && (
            <span>
              <HoldBadge />
            </span>
          )}
          {role !== 'owner' && owner.name !== '' && (
            <span>{rich('of {name}', { name: <Isolated>{owner.name}</Isolated> })}</span>
          )}
        </p>
      </Box>
      <span className={classes.role} data-own={role === 'owner' || undefined}>
        {describeRole(shown)}
      </span>
      <time className={classes.changed} dateTime={shown.updated_at} title={formatMoment(shown.updated_at)}>
        {formatAgo(shown.updated_at)}
      </time>
    </li>
  )
}
