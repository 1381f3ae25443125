import type { LineMark } from '#contract/line-marks.ts'
import type { StoredMark } from '#data/line-marks/stored-mark.ts'
import type { PersonRecord } from '#data/users/people.ts'

/** Returns the ids of the people who said something of lines. */
export function listPeople(marks: Iterable<StoredMark>): string[] {
  return [
    ...new Set(
      [...marks].flatMap(({ verified, doubt }) => [...verified, ...(doubt ? [doubt] : [])].map(({ by }) => by)),
    ),
  ]
}

/** Returns a mark with the names of its people; those who are gone have none. */
export function presentMark(
  { verified, doubt, ...line }: StoredMark,
  people: ReadonlyMap<string, Pick<PersonRecord, 'name'>>,
): LineMark {
  const present = ({ by, at }: { by: string; at: number }) => ({
    by: { id: by, name: people.get(by)?.name ?? '' },
    at: new Date(at).toISOString(),
  })
  return {
    ...line,
    verified: verified.map(present),
    doubt: doubt && { is_uncertain: doubt.isUncertain, reason: doubt.reason, ...present(doubt) },
  }
}
