import type { LineMark, Verification } from '#contract/line-marks.ts'
import type { StoredMark } from '#data/line-marks/stored-mark.ts'
import type { PersonRecord } from '#data/users/people.ts'

/** Returns the ids of the people who said something of lines. */
export function listPeople(marks: LineMark[]): string[] {
  const all = marks.flatMap(({ verified, doubt }) => [...verified, ...(doubt ? [doubt] : [])])
  return [...new Set(all.map(({ by }) => by.id))]
}

/** Returns a mark as it is stored: by the ids of its people. */
export function toStoredMark({ verified, doubt, ...line }: LineMark): StoredMark {
  const store = ({ by, at }: { by: { id: string }; at: string }) => ({ by: by.id, at: Date.parse(at) })
  return {
    ...line,
    verified: verified.map(store),
    doubt: doubt && { isUncertain: doubt.is_uncertain, reason: doubt.reason, ...store(doubt) },
  }
}

/** Returns a stored mark, without the names of its people. */
export function presentMark({ verified, doubt, ...line }: StoredMark): LineMark {
  const present = ({ by, at }: { by: string; at: number }) => ({
    by: { id: by, name: '' },
    at: new Date(at).toISOString(),
  })
  return {
    ...line,
    verified: verified.map(present),
    doubt: doubt && { is_uncertain: doubt.isUncertain, reason: doubt.reason, ...present(doubt) },
  }
}

/** Returns marks with the names of their people; those who are gone have none. */
export function presentNames(marks: LineMark[], people: ReadonlyMap<string, Pick<PersonRecord, 'name'>>): LineMark[] {
  const nameOf = <Said extends Verification>(said: Said): Said => {
    return { ...said, by: { ...said.by, name: people.get(said.by.id)?.name ?? '' } }
  }
  return marks.map((mark) => ({
    ...mark,
    verified: mark.verified.map(nameOf),
    doubt: mark.doubt && nameOf(mark.doubt),
  }))
}
