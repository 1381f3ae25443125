/**
 * Work in steps: between two of them it may rest while other commands run, as MongoDB's long commands yield. What it learned of the
 * data before a rest may be out of date after it.
 */
export type Steps<Result> = Generator<void, Result>

/** Does all steps at once, for what must see and change the data in one moment. */
export function finishSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

export function isSteps<Result extends object>(value: Result | Steps<Result>): value is Steps<Result> {
  return 'next' in value && typeof value.next === 'function'
}
