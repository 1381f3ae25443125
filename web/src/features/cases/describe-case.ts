import type { Case, CaseColour, CaseRole, MemberRole } from '#contract/cases.ts'

export const roleNames: Record<CaseRole, string> = { owner: 'Owner', edit: 'Can correct', view: 'Can read' }

/** Roles that a member can be given. */
export const roleChoices: { value: MemberRole; label: string }[] = [
  { value: 'view', label: roleNames.view },
  { value: 'edit', label: roleNames.edit },
]

export const colourNames: Record<CaseColour, string> = {
  teal: 'Teal',
  slate: 'Slate',
  rose: 'Rose',
  plum: 'Plum',
  moss: 'Moss',
  clay: 'Clay',
}

/** What the user may do with the case: an admin who is not a member manages it. */
export function describeRole({ role }: Pick<Case, 'role'>): string {
  return role === null ? 'Not a member' : roleNames[role]
}
