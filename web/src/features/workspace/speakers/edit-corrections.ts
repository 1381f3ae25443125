import { mergedInto, type SpeakerCorrections } from '#contract/speaker-corrections.ts'

/** Identifies a line by its times, which corrections never change. */
interface LineTimes {
  start: number
  end: number
}

/** Names a speaker; an empty name removes the existing one. */
export function renameSpeaker(corrections: SpeakerCorrections, label: string, name: string): SpeakerCorrections {
  const { [label]: _, ...names } = corrections.names
  const trimmed = name.trim()
  return { ...corrections, names: trimmed ? { ...names, [label]: trimmed } : names }
}

/** Merges a speaker into another. If only the merged speaker had a name, it is kept. */
export function mergeSpeakers(corrections: SpeakerCorrections, label: string, into: string): SpeakerCorrections {
  const { [label]: mergedName, ...names } = corrections.names
  const kept = names[into] ?? mergedName
  return {
    ...corrections,
    names: kept === undefined ? names : { ...names, [into]: kept },
    merged: { ...corrections.merged, [label]: into },
  }
}

/** Undoes a merge. */
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

/** Moves a line to another speaker. `found` is the speaker that the engine found. */
export function moveLine(
  corrections: SpeakerCorrections,
  line: LineTimes & { found: string },
  label: string,
): SpeakerCorrections {
  const { moved } = returnLine(corrections, line)
  if (mergedInto(line.found, corrections) === label) return { ...corrections, moved }
  return { ...corrections, moved: [...moved, { start: line.start, end: line.end, speaker: label }] }
}

/** Moves a line back to the speaker that the engine found. */
function returnLine(corrections: SpeakerCorrections, { start, end }: LineTimes): SpeakerCorrections {
  return { ...corrections, moved: corrections.moved.filter((line) => line.start !== start || line.end !== end) }
}
