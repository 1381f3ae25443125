import type { z } from 'zod'
import type { Hold } from '#contract/holds.ts'
import type { CaseRecord } from '#data/cases/case-record.ts'
import type { HoldRecord } from '#data/holds/held.ts'
import type { PersonRecord } from '#data/users/people.ts'

interface HoldContext {
  people: Map<string, PersonRecord>
  /** About the caller: whether they own what is on hold, and whether they are an admin. */
  isOwner: boolean
  isAdmin: boolean
}

/** Returns whether a user may lift a hold: the owner of what is on hold, and admins; only admins if one of them set it. */
export function canLiftHold(
  { isByAdmin }: Pick<HoldRecord, 'isByAdmin'>,
  { isOwner, isAdmin }: Pick<HoldContext, 'isOwner' | 'isAdmin'>,
): boolean {
  return isAdmin || (isOwner && !isByAdmin)
}

/** Presents a hold to a caller who can see what it covers; `of` is the case, null for a recording. */
export function presentHold(
  hold: HoldRecord,
  { of, ...context }: HoldContext & { of: Pick<CaseRecord, 'id' | 'name'> | null },
): z.input<typeof Hold> {
  return {
    of: of ? 'case' : 'recording',
    case: of && { id: of.id, name: of.name },
    reason: hold.reason,
    set_by: context.people.get(hold.setBy)?.name ?? '',
    is_by_admin: hold.isByAdmin,
    set_at: hold.setAt.toISOString(),
    can_lift: canLiftHold(hold, context),
  }
}

/** Presents the hold of a case that the caller cannot see, revealing only that it exists. */
export function presentHiddenHold({ isByAdmin, setAt }: HoldRecord): z.input<typeof Hold> {
  return {
    of: 'case',
    case: null,
    reason: null,
    set_by: '',
    is_by_admin: isByAdmin,
    set_at: setAt.toISOString(),
    can_lift: false,
  }
}
