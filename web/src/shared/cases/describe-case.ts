import type { Case, CaseColour, CaseRole, MemberRole } from '#contract/cases.ts'
import { t } from '#contract/texts/t.ts'

export const roleNames: Record<CaseRole, string> = { owner: t('Owner'), edit: t('Can correct'), view: t('Can read') }

/** Roles that a member can be given. */
export const roleChoices: { value: MemberRole; label: string }[] = [
  { value: 'view', label: roleNames.view },
  { value: 'edit', label: roleNames.edit },
]

export const colourNames: Record<CaseColour, string> = {
  teal: t('Teal'),
  slate: t('Slate'),
  rose: t('Rose'),
  plum: t('Plum'),
  moss: t('Moss'),
  clay: t('Clay'),
}

/** Describes the user's role in a case: an admin who is not a member can still manage it. */
export function describeRole({ role }: Pick<Case, 'role'>): string {
  return role === null ? t('Not a member') : roleNames[role]
}
