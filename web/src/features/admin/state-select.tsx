import { Select } from '@mantine/core'
import type { UserState } from '#contract/user-list.ts'

/** States that a list of users can be narrowed to. */
export const userStates = ['active', 'inactive', 'verified', 'unverified', 'with_2fa', 'without_2fa'] as const

const labels: Record<(typeof userStates)[number], string> = {
  active: 'Active',
  inactive: 'Inactive',
  verified: 'Verified',
  unverified: 'Unverified',
  with_2fa: 'With two-factor',
  without_2fa: 'Without two-factor',
}

interface StateSelectProps {
  value: UserState
  onChange: (state: string) => void
}

/** Narrows a list of users to one state. */
export function StateSelect({ value, onChange }: StateSelectProps) {
  return (
    <Select
      w={180}
      aria-label="State"
      data={[
        { value: 'any', label: 'Any state' },
        ...userStates.map((state) => ({ value: state, label: labels[state] })),
      ]}
      value={value || 'any'}
      onChange={(chosen) => onChange(chosen === 'any' || chosen === null ? '' : chosen)}
    />
  )
}
