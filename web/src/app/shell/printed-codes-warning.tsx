import { Button, Group } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { User } from '#contract/entities/user.ts'
import { fewPrintedCodes } from '#contract/second-factor.ts'
import { t } from '#contract/texts/t.ts'
import { pageList } from '../page-list.ts'
import classes from './two-factor-reminder.module.css'

/** Warns people who sign in with a printed list before it is used up: creating a new list takes one of its codes. */
export function PrintedCodesWarning({ user: { printed_codes_left: left } }: { user: User }) {
  if (left === null || left > fewPrintedCodes) return null
  return (
    <section className={classes.reminder} aria-label={t('Your printed list is nearly used up')} data-urgent>
      <p>{describe(left)}</p>
      {left > 0 && (
        <Group gap={6} align="stretch">
          <Button component={Link} to={pageList.security.path} size="compact-sm">
            {t('Print a new list')}
          </Button>
        </Group>
      )}
    </section>
  )
}

function describe(left: number): string {
  if (left === 0)
    return t(
      'Your printed list is used up. Before you sign out, ask an administrator to reset your two-factor authentication.',
    )
  return t(
    '{left, plural, one {One code is} other {# codes are}} left on your printed list. Making a new list uses one of them.',
    { left },
  )
}
