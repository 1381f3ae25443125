import { Box, Text } from '@mantine/core'
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
import common from '../../shared/ui/common.module.css'
import { MetaLine } from '../../shared/ui/meta-line.tsx'

/** A case in the list: its name leads to it. */
export function CaseRow({ shown }: { shown: Case }) {
  const { id, name, colour, role, owner, member_count: members, recording_count: recordings } = shown
  return (
    <li className={classes.row}>
      <CaseMark colour={colour} />
      <Box flex={1} miw={0}>
        <Text
          component={Link}
          inherit
          truncate
          fw={600}
          to={`/cases?case=${id}`}
          display="block"
          className={common.cover}
        >
          <Isolated isCut>{name}</Isolated>
        </Text>
        <MetaLine>
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
        </MetaLine>
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
