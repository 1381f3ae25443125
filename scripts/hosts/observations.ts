/** A request by a simulated user. Times are milliseconds of one monotonic clock. */
export interface Observation {
  person: number
  /** Method and path, without ids. */
  what: string
  startedAtMs: number
  endedAtMs: number
  /** 0 if there was no response in time. */
  status: number
}

/** Whether a request was served, even if only with a refusal. */
export function isAnswered({ status }: Observation): boolean {
  return status > 0 && status < 500
}

/** A period in which the same request by a user failed repeatedly. */
export interface FailureStreak {
  person: number
  what: string
  /** From the start of the first failed request to the end of the last one, as the next request may be sent much later. */
  lengthMs: number
}

/** Returns the longest streak of failures; undefined where no request failed. */
export function findLongestStreak(observations: readonly Observation[]): FailureStreak | undefined {
  const groups = Map.groupBy(observations, ({ person, what }) => `${person} ${what}`)
  const streaks = [...groups.values()].flatMap(findStreaks)
  return streaks.toSorted((one, other) => other.lengthMs - one.lengthMs)[0]
}

function findStreaks(observations: Observation[]): FailureStreak[] {
  const streaks: FailureStreak[] = []
  let current: FailureStreak | undefined
  let fromMs = 0
  for (const observation of observations.toSorted((one, other) => one.endedAtMs - other.endedAtMs)) {
    if (isAnswered(observation)) {
      current = undefined
      continue
    }
    const { person, what, startedAtMs, endedAtMs } = observation
    if (!current) {
      fromMs = startedAtMs
      current = { person, what, lengthMs: 0 }
      streaks.push(current)
    }
    current.lengthMs = endedAtMs - fromMs
  }
  return streaks
}

/** Returns the requests that were in progress during a period and were not answered. */
export function findFailures(
  observations: readonly Observation[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Observation[] {
  return observations.filter((each) => !isAnswered(each) && each.startedAtMs <= toMs && each.endedAtMs >= fromMs)
}

/** Returns the kind of a request, the same for every recording or job. */
export function describeRequest(method: string, path: string): string {
  return `${method} ${path.replace(/\?.*$/, '').replaceAll(/[0-9a-f]{24}/g, ':id')}`
}
