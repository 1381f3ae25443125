import { Anchor } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { Hold } from '#contract/holds.ts'
import { t } from '#contract/texts/t.ts'
import { formatMoment } from '../../shared/format.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './hold-dialog.module.css'

/** Who set a hold, when and why, and who lifts it. */
export function HoldFacts({ hold }: { hold: Hold }) {
  const { of, case: held, reason, set_by: setBy, is_by_admin: isByAdmin, set_at: setAt } = hold
  return (
    <div className={classes.facts}>
      {reason !== null && (
        <p className={classes.reason} dir="auto">
          {reason}
        </p>
      )}
      <p className={classes.origin}>
        {of === 'case' &&
          (held ? (
            <>
              Of the case{' '}
              <Anchor component={Link} inherit to={`/cases?case=${held.id}`}>
                <Isolated>{held.name}</Isolated>
              </Anchor>
              .{' '}
            </>
          ) : (
            'Of a case that you do not see. '
          ))}
        {setBy === '' ? (
          'Set'
        ) : (
          <>
            Set by <Isolated>{setBy}</Isolated>
          </>
        )}
        {isByAdmin && ' as an administrator'} on {formatMoment(setAt)}. {describeWhoLifts(hold)}
      </p>
    </div>
  )
}

function describeWhoLifts({ of, is_by_admin: isByAdmin }: Hold): string {
  if (isByAdmin) return t('Only administrators can lift it.')
  return of === 'case'
    ? t('The owner of the case and administrators can lift it.')
    : t('The owner of the recording and administrators can lift it.')
}
