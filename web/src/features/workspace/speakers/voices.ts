import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import type { DescribeSpeaker, SpeakerFacts } from './describe-speaker.ts'

/** A speaker in a transcription, with figures about their lines. */
export interface Voice extends SpeakerFacts {
  label: string
  talkingSeconds: number
  /** The share of all speakers' talking time, 0 to 1. */
  share: number
  /** A sample to recognize the voice by; undefined for a silent channel. */
  longestLine: Segment | undefined
  /** Where the voice speaks, each 0 to 1 of the recording. */
  spans: { from: number; to: number }[]
}

/** The finest resolution that is visible on a lane. */
const lanePositions = 1000

/** Lists the speakers of a transcription, in the transcription's order. */
export function listVoices(transcription: TranscriptionResult, describe: DescribeSpeaker): Voice[] {
  const speakers = transcription.speaker_transcriptions.map((entry) => {
    return { ...entry, talkingSeconds: entry.segments.reduce((sum, line) => sum + lengthOf(line), 0) }
  })
  const total = speakers.reduce((sum, { talkingSeconds }) => sum + talkingSeconds, 0)
  return speakers.map(({ speaker, segments, talkingSeconds }) => ({
    ...describe(speaker),
    label: speaker,
    talkingSeconds,
    share: total > 0 ? talkingSeconds / total : 0,
    longestLine: segments.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0],
    spans: toSpans(segments, transcription.duration),
  }))
}

function lengthOf({ start, end }: Pick<Segment, 'start' | 'end'>): number {
  return Math.max(0, end - start)
}

/** Merges lines that would touch on a lane into one span, since an hour has a thousand lines. */
function toSpans(segments: Segment[], durationSeconds: number): Voice['spans'] {
  const spans: Voice['spans'] = []
  for (const { start, end } of segments.toSorted((a, b) => a.start - b.start)) {
    const from = toPosition(start, durationSeconds)
    const to = Math.max(from + 1 / lanePositions, toPosition(end, durationSeconds))
    const last = spans.at(-1)
    if (last && from - last.to < 1 / lanePositions) last.to = Math.max(last.to, to)
    else spans.push({ from, to })
  }
  return spans
}

function toPosition(seconds: number, durationSeconds: number): number {
  return durationSeconds > 0 ? Math.min(1, Math.round((seconds / durationSeconds) * lanePositions) / lanePositions) : 0
}
