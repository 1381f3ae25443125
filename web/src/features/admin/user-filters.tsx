import { Select, Switch } from '@mantine/core'
import { roles } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import type { UserState } from '#contract/user-list.ts'
import classes from './admin.module.css'
import { roleGroups } from './role-names.ts'
import { inactiveDays, userStates, type UserListState } from './user-list-state.ts'

const stateLabels: Record<Exclude<UserState, ''>, string> = {
  active: t('Active'),
  inactive: t('Inactive'),
  verified: t('Verified'),
  unverified: t('Unverified'),
  with_2fa: t('With two-factor'),
  without_2fa: t('Without two-factor'),
}

interface Choice {
  value: string
  label: string
}

interface FilterSelectProps {
  label: string
  /** Shown when nothing is chosen. */
  anyLabel: string
  choices: Choice[]
  /** Empty when nothing is chosen. */
  value: string
  onChange: (value: string) => void
}

/** Narrows a list to one value, or not at all. */
export function FilterSelect({ label, anyLabel, choices, value, onChange }: FilterSelectProps) {
  return (
    <Select
      className={classes.filter}
      aria-label={label}
      data={[{ value: 'any', label: anyLabel }, ...choices]}
      value={value || 'any'}
      onChange={(chosen) => onChange(chosen === 'any' || chosen === null ? '' : chosen)}
    />
  )
}

interface UserFiltersProps {
  list: UserListState
  /** Offers to hide the signed-in user. */
  canExcludeSelf: boolean
}

/** Narrows a list of users by state, role and time since the last sign-in. */
export function UserFilters({ list, canExcludeSelf }: UserFiltersProps) {
  const { filters, setFilter } = list
  return (
    <>
      <FilterSelect
        label={t('State')}
        anyLabel={t('Any state')}
        choices={userStates.map((state) => ({ value: state, label: stateLabels[state] }))}
        value={filters.state}
        onChange={(value) => setFilter('state', value)}
      />
      <FilterSelect
        label={t('Role')}
        anyLabel={t('All roles')}
        choices={roles.toReversed().map((role) => ({ value: role, label: roleGroups[role] }))}
        value={filters.role}
        onChange={(value) => setFilter('role', value)}
      />
      <FilterSelect
        label={t('Last sign-in')}
        anyLabel={t('Signed in any time')}
        choices={inactiveDays.map((days) => ({
          value: days,
          label: t('{days, plural, one {Not for # day} other {Not for # days}}', { days: Number(days) }),
        }))}
        value={filters.inactive_days > 0 ? String(filters.inactive_days) : ''}
        onChange={(value) => setFilter('inactive', value)}
      />
      {canExcludeSelf && (
        <Switch
          label={t('Without me')}
          checked={list.isWithoutSelf}
          onChange={(event) => setFilter('without_self', event.currentTarget.checked ? '1' : '')}
        />
      )}
    </>
  )
}
