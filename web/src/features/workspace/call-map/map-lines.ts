import type { TranscriptionResult } from '#contract/transcription.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import type { DescribeSpeaker } from '../speakers/describe-speaker.ts'

/** A line on the map. */
export interface MapLine {
  from: number
  to: number
  /** The lane; 0 is the upper one. */
  lane: number
  /** Which of the eight hues the speaker has. */
  hue: number
  line: ConversationLine
}

/** A passage in which two people speak at once. */
export interface TalkOver {
  from: number
  to: number
  /** The lane shared by both voices; null if they are on different lanes. */
  lane: number | null
}

/** Shorter overlaps come from normal turn-taking and imprecise line times. */
const minTalkOverSeconds = 0.5

interface LaneOptions {
  transcription: Pick<TranscriptionResult, 'speaker_transcriptions'> | null
  describe: DescribeSpeaker
  laneCount: number
}

/** Returns the spoken lines with lane and hue, in time order. */
export function placeLines(
  lines: readonly ConversationLine[],
  { transcription, describe, laneCount }: LaneOptions,
): MapLine[] {
  // With several voices in one channel, the lines do not name the channel, but their speakers do.
  const channels = new Map(transcription?.speaker_transcriptions.map(({ speaker, channel }) => [speaker, channel]))
  return lines.flatMap((line): MapLine[] => {
    const { segment, start, end } = line
    if (!segment) return []
    const channel = segment.channel ?? channels.get(segment.speaker ?? '') ?? 0
    const { hue } = describe(segment.speaker, laneCount > 1 ? channel : undefined)
    return [{ from: start, to: end, lane: Math.min(channel, laneCount - 1), hue, line }]
  })
}

/** Returns the passages in which two people speak at once, in time order: overlapping lines, and lines marked as overlapped. */
export function findTalkOver(lines: readonly MapLine[]): TalkOver[] {
  const found: TalkOver[] = []
  for (const [index, current] of lines.entries()) {
    if (current.line.segment?.overlap) found.push({ from: current.from, to: current.to, lane: current.lane })
    for (let next = index + 1; next < lines.length; next += 1) {
      const other = lines[next]
      if (!other || other.from >= current.to) break
      const [from, to] = [other.from, Math.min(current.to, other.to)]
      if (to - from < minTalkOverSeconds) continue
      if (other.lane !== current.lane) found.push({ from, to, lane: null })
      else if (other.hue !== current.hue) found.push({ from, to, lane: current.lane })
    }
  }
  return mergePassages(found.toSorted((a, b) => a.from - b.from))
}

function mergePassages(passages: TalkOver[]): TalkOver[] {
  const merged: TalkOver[] = []
  for (const passage of passages) {
    const last = merged.findLast(({ lane }) => lane === passage.lane)
    if (last && passage.from <= last.to) last.to = Math.max(last.to, passage.to)
    else merged.push({ ...passage })
  }
  return merged
}

/** Returns the line spoken at a time, preferably one in the given lane. */
export function lineAt(lines: readonly MapLine[], time: number, lane?: number): MapLine | undefined {
  const spoken = lines.filter(({ from, to }) => time >= from && time < to)
  return spoken.find((line) => line.lane === lane) ?? spoken[0]
}
