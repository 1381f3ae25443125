import type { LineMark, Verification } from '#contract/line-marks.ts'
import type { PersonRecord } from '#data/users/people.ts'

/** Returns the ids of the people who have verified or doubted lines. */
export function listPeople(marks: LineMark[]): string[] {
  const all = marks.flatMap(({ verified, doubt }) => [...verified, ...(doubt ? [doubt] : [])])
  return [...new Set(all.map(({ by }) => by.id))]
}

/** Returns marks with people's names; those whose accounts are gone have none. */
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
