/** Whether this run is `npm run test:endurance`, in which repeated tests run all their rounds. */
export const isEndurance = process.env.AWAZ_ENDURANCE === '1'

/**
 * Returns how many rounds are run by a test that repeats one thing: floods, kills, races, fuzzing. All of them in `npm run test:endurance`,
 * which runs the tests with the tag `rounds`; in `npm test` a tenth, but at least one.
 */
export function roundCount(whole: number): number {
  return isEndurance ? whole : Math.max(1, Math.ceil(whole / 10))
}
