import { mergedInto, type SpeakerCorrections } from '#contract/speaker-corrections.ts'

/** A line by its times, which corrections never change. */
interface LineTimes {
  start: number
  end: number
}

/** Gives a speaker a name; an empty one takes the name away. */
export function renameSpeaker(corrections: SpeakerCorrections, label: string, name: string): SpeakerCorrections {
  const { [label]: _, ...names } = corrections.names
  const wanted = name.trim()
  return { ...corrections, names: wanted ? { ...names, [label]: wanted } : names }
}

/** Makes one speaker of two. A name that only the first had is kept. */
export function mergeSpeakers(corrections: SpeakerCorrections, label: string, into: string): SpeakerCorrections {
  const { [label]: nameBefore, ...names } = corrections.names
  const kept = names[into] ?? nameBefore
  return {
    ...corrections,
    names: kept === undefined ? names : { ...names, [into]: kept },
    merged: { ...corrections.merged, [label]: into },
  }
}

/** Makes a speaker of its own again of one that was merged. */
export function separateSpeaker(corrections: SpeakerCorrections, label: string): SpeakerCorrections {
  const { [label]: _, ...merged } = corrections.merged
  return { ...corrections, merged }
}

/** Lists the labels that were merged into a speaker, in order. */
export function mergedLabels(corrections: SpeakerCorrections, label: string): string[] {
  return Object.keys(corrections.merged)
    .filter((other) => mergedInto(other, corrections) === label)
    .toSorted((a, b) => a.localeCompare(b))
}

/** Gives a line to another speaker. `found` is the speaker whom the engine heard in it. */
export function moveLine(
  corrections: SpeakerCorrections,
  line: LineTimes & { found: string },
  label: string,
): SpeakerCorrections {
  const { moved } = returnLine(corrections, line)
  if (mergedInto(line.found, corrections) === label) return { ...corrections, moved }
  return { ...corrections, moved: [...moved, { start: line.start, end: line.end, speaker: label }] }
}

/** Gives a line back to the speaker whom the engine heard in it. */
function returnLine(corrections: SpeakerCorrections, { start, end }: LineTimes): SpeakerCorrections {
  return { ...corrections, moved: corrections.moved.filter((line) => line.start !== start || line.end !== end) }
}
