/**
 * Work in steps: between two steps it may pause while other commands run, just as long commands yield in MongoDB. Data read before a pause
 * may be outdated afterwards.
 */
export type Steps<Result> = Generator<void, Result>

/** Runs all steps without a pause, for work that must be atomic. */
export function finishSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

export function isSteps<Result extends object>(value: Result | Steps<Result>): value is Steps<Result> {
  return 'next' in value && typeof value.next === 'function'
}
