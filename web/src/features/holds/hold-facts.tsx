import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Hold } from '#contract/holds.ts'
import { t } from '#contract/texts/t.ts'
import { formatMoment } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './hold-dialog.module.css'

/** Who set a hold, when and why, and who lifts it. */
export function HoldFacts({ hold }: { hold: Hold }) {
  const { of, case: held, reason } = hold
  return (
    <div className={classes.facts}>
      {reason !== null && (
        <Text fw={560} inherit mb={4} dir="auto">
          {reason}
        </Text>
      )}
      <Text fz="sm">
        {of === 'case' && <>{describeCase(held)} </>}
        {describeOrigin(hold)} {describeWhoLifts(hold)}
      </Text>
    </div>
  )
}

function describeCase(held: Hold['case']): ReactNode {
  if (!held) return t('Of a case that you do not see.')
  return rich('Of the case {name}.', {
    name: (
      <Anchor component={Link} inherit to={`/cases?case=${held.id}`}>
        <Isolated>{held.name}</Isolated>
      </Anchor>
    ),
  })
}

function describeOrigin({ set_by: setBy, is_by_admin: isByAdmin, set_at: setAt }: Hold): ReactNode {
  const moment = formatMoment(setAt)
  if (setBy === '') {
    return isByAdmin ? t('Set as an administrator on {moment}.', { moment }) : t('Set on {moment}.', { moment })
  }
  const name = <Isolated>{setBy}</Isolated>
  return isByAdmin
    ? rich('Set by {name} as an administrator on {moment}.', { name, moment })
    : rich('Set by {name} on {moment}.', { name, moment })
}

function describeWhoLifts({ of, is_by_admin: isByAdmin }: Hold): string {
  if (isByAdmin) return t('Only administrators can lift it.')
  return of === 'case'
    ? t('The owner of the case and administrators can lift it.')
    : t('The owner of the recording and administrators can lift it.')
}
