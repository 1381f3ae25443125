import { maxMoves, type MovedLine, type SpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'

/** A moved line matches a line that overlaps at least this share of the longer one. */
const minSharedShare = 0.5

type Transcript = Pick<TranscriptionResult, 'segments' | 'speaker_transcriptions'>

/**
 * Carries corrections from one transcription of a recording to another. A speaker matches the one in the other transcription with the
 * longest shared speaking time, if the match is mutual; a moved line matches if the times agree. What has no match is dropped.
 */
export function carryCorrections(
  { names, merged, moved }: SpeakerCorrections,
  before: Transcript,
  after: Transcript,
): SpeakerCorrections {
  const labels = pairLabels(before, after)
  const nameEntries = Object.entries(names).flatMap(([label, name]) => {
    const next = labels.get(label)
    return next === undefined ? [] : [[next, name] as const]
  })
  const mergeEntries = Object.entries(merged).flatMap(([label, target]) => {
    const [next, nextTarget] = [labels.get(label), labels.get(target)]
    return next === undefined || nextTarget === undefined ? [] : [[next, nextTarget] as const]
  })
  return {
    names: Object.fromEntries(nameEntries),
    merged: Object.fromEntries(mergeEntries),
    // One line may have become two.
    moved: moved.flatMap((line) => carryMove(line, labels.get(line.speaker), after)).slice(0, maxMoves),
  }
}

/** Returns the label in `after` for each speaker in `before` that has a match; no two share a label. */
function pairLabels(before: Transcript, after: Transcript): Map<string, string> {
  const shared = shareTimes(before, after)
  const pairs = new Map<string, string>()
  for (const { speaker: old, segment_count } of before.speaker_transcriptions) {
    const next = findBestMatch(after, (label) => shared(old, label))
    const isMutual = next !== undefined && findBestMatch(before, (label) => shared(label, next)) === old
    if (isMutual) pairs.set(old, next)
    else if (segment_count === 0 && isSilent(after, old)) pairs.set(old, old)
  }
  return pairs
}

/** Returns whether a speaker says nothing: without times, the label itself is the match. */
function isSilent({ speaker_transcriptions }: Transcript, label: string): boolean {
  return speaker_transcriptions.some(({ speaker, segment_count }) => speaker === label && segment_count === 0)
}

function findBestMatch(
  { speaker_transcriptions }: Transcript,
  sharedWith: (label: string) => number,
): string | undefined {
  const ranked = speaker_transcriptions
    .map(({ speaker }) => ({ speaker, seconds: sharedWith(speaker) }))
    .filter(({ seconds }) => seconds > 0)
    .toSorted((a, b) => b.seconds - a.seconds)
  return ranked[0]?.speaker
}

/** Returns a function that returns the seconds shared by a speaker of one transcription and one of the other. */
function shareTimes(before: Transcript, after: Transcript): (old: string, next: string) => number {
  const seconds = new Map<string, number>()
  const key = (old: string, next: string) => JSON.stringify([old, next])
  for (const old of before.speaker_transcriptions) {
    for (const next of after.speaker_transcriptions) {
      seconds.set(key(old.speaker, next.speaker), sharedTime(old.segments, next.segments))
    }
  }
  return (old, next) => seconds.get(key(old, next)) ?? 0
}

/** Returns the time shared by two lists, both ordered by start. */
function sharedTime(a: Segment[], b: Segment[]): number {
  let sum = 0
  let first = 0
  for (const segment of a) {
    while (first < b.length && (b[first]?.end ?? 0) <= segment.start) first += 1
    for (let at = first; at < b.length && (b[at]?.start ?? segment.end) < segment.end; at += 1) {
      const other = b[at]
      if (other) sum += overlap(segment, other)
    }
  }
  return sum
}

function overlap(a: Pick<Segment, 'start' | 'end'>, b: Pick<Segment, 'start' | 'end'>): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start))
}

function carryMove(line: MovedLine, speaker: string | undefined, after: Transcript): MovedLine[] {
  if (speaker === undefined) return []
  return after.segments.flatMap((segment) => {
    const longer = Math.max(line.end - line.start, segment.end - segment.start)
    const isSame = longer > 0 && overlap(line, segment) >= longer * minSharedShare
    return isSame && segment.speaker !== undefined && segment.speaker !== speaker
      ? [{ start: segment.start, end: segment.end, speaker }]
      : []
  })
}
