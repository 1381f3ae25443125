/** A stretch in which somebody speaks; stretches of several people may overlap. */
export interface VoiceStretch {
  startMs: number
  endMs: number
  voice: string | number
}

/** Milliseconds of speech; time in which two people speak at once counts twice. */
export interface DiarizationScore {
  /** Speech time of the reference. */
  speechMs: number
  missedMs: number
  falseMs: number
  /** Attributed to the wrong voice. */
  confusedMs: number
}

const stepMs = 10

/**
 * Compares a diarization with the reference in steps of 10 ms, as NIST's diarization error rate does: found voices are mapped to the
 * reference voices with which they share the most time, and time within `collarMs` of a reference boundary does not count.
 */
export function scoreDiarization(
  found: readonly VoiceStretch[],
  reference: readonly VoiceStretch[],
  { collarMs }: { collarMs: number },
): DiarizationScore {
  const steps = listSteps(found, reference, collarMs)
  const matches = matchVoices(countShared(steps))
  const score = { speechMs: 0, missedMs: 0, falseMs: 0, confusedMs: 0 }
  for (const { referenceVoices, foundVoices } of steps) {
    const right = foundVoices.filter((voice) => referenceVoices.some((other) => matches.get(voice) === other)).length
    score.speechMs += stepMs * referenceVoices.length
    score.missedMs += stepMs * Math.max(0, referenceVoices.length - foundVoices.length)
    score.falseMs += stepMs * Math.max(0, foundVoices.length - referenceVoices.length)
    score.confusedMs += stepMs * (Math.min(referenceVoices.length, foundVoices.length) - right)
  }
  return score
}

/** Returns missed, false and confused time as a share of the speech time. */
export function errorRate({ speechMs, missedMs, falseMs, confusedMs }: DiarizationScore): number {
  return speechMs === 0 ? 0 : (missedMs + falseMs + confusedMs) / speechMs
}

type Voice = VoiceStretch['voice']

interface Step {
  referenceVoices: Voice[]
  foundVoices: Voice[]
}

function listSteps(found: readonly VoiceStretch[], reference: readonly VoiceStretch[], collarMs: number): Step[] {
  const endMs = Math.max(0, ...[...found, ...reference].map((stretch) => stretch.endMs))
  const steps = Array.from({ length: Math.ceil(endMs / stepMs) }, () => ({
    referenceVoices: [] as Voice[],
    foundVoices: [] as Voice[],
    isNearEdge: false,
  }))
  // A step belongs to every stretch that contains its midpoint.
  const within = (startMs: number, stopMs: number) =>
    steps.slice(Math.max(0, Math.round(startMs / stepMs)), Math.max(0, Math.round(stopMs / stepMs)))
  for (const { startMs, endMs: stopMs, voice } of reference) {
    for (const { referenceVoices } of within(startMs, stopMs))
      if (!referenceVoices.includes(voice)) referenceVoices.push(voice)
    for (const edge of [startMs, stopMs]) {
      for (const step of within(edge - collarMs, edge + collarMs)) step.isNearEdge = true
    }
  }
  for (const { startMs, endMs: stopMs, voice } of found) {
    for (const { foundVoices } of within(startMs, stopMs)) if (!foundVoices.includes(voice)) foundVoices.push(voice)
  }
  return steps.filter(({ isNearEdge }) => !isNearEdge)
}

/** Counts the steps that each found voice shares with each reference voice. */
function countShared(steps: readonly Step[]): Map<Voice, Map<Voice, number>> {
  const shared = new Map<Voice, Map<Voice, number>>()
  for (const { referenceVoices, foundVoices } of steps) {
    for (const voice of foundVoices) {
      const counts = shared.get(voice) ?? new Map<Voice, number>()
      shared.set(voice, counts)
      for (const other of referenceVoices) counts.set(other, (counts.get(other) ?? 0) + 1)
    }
  }
  return shared
}

/** Returns the one-to-one mapping of found to reference voices with the most shared time. Tries all, because there are few voices. */
function matchVoices(shared: Map<Voice, Map<Voice, number>>): Map<Voice, Voice> {
  const foundVoices = [...shared.keys()]
  const known = new Map<string, { total: number; pairs: [Voice, Voice][] }>()

  function best(index: number, taken: readonly Voice[]): { total: number; pairs: [Voice, Voice][] } {
    const voice = foundVoices[index]
    if (voice === undefined) return { total: 0, pairs: [] }
    const key = `${index} ${taken.toSorted().join(' ')}`
    const before = known.get(key)
    if (before) return before
    let bestMatch = best(index + 1, taken)
    for (const [other, count] of shared.get(voice) ?? []) {
      if (taken.includes(other)) continue
      const rest = best(index + 1, [...taken, other])
      if (count + rest.total > bestMatch.total) {
        bestMatch = { total: count + rest.total, pairs: [[voice, other], ...rest.pairs] }
      }
    }
    known.set(key, bestMatch)
    return bestMatch
  }

  return new Map(best(0, []).pairs)
}
