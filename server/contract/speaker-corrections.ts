import { z } from 'zod'
import { joinLines } from './progress-text.ts'
import type { Segment, SpeakerTranscription, TranscriptionResult } from './transcription.ts'

/** The maximum number of speakers in a request. */
export const maxSpeakerCount = 8
const maxLabels = 50
export const maxNameCharacters = 60
/** Far more than a person corrects by hand in an hour-long call. */
export const maxMoves = 1000

/** The label of a speaker in the transcription, such as `Speaker A`. */
const Label = z.string().min(1).max(40)

const Name = z
  .string()
  .trim()
  .min(1, 'Please enter a name')
  .max(maxNameCharacters, `A name has at most ${maxNameCharacters} characters`)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u, 'A name has no line breaks or other control characters')

const isWithinLimit = (entries: object) => Object.keys(entries).length <= maxLabels
const tooManySpeakers = `At most ${maxLabels} speakers can be corrected`

/** A line reassigned to another speaker, identified by its times in the transcription as the engine wrote it. */
export const MovedLine = z.object({ start: z.number().nonnegative(), end: z.number().nonnegative(), speaker: Label })
export type MovedLine = z.infer<typeof MovedLine>

/**
 * A person's corrections to the speakers of a transcription. The keys are labels of the transcription: `names` are shown in place of
 * labels, a label in `merged` is the same person as the label it maps to, and `moved` assigns lines to other speakers before labels are
 * merged.
 */
export const SpeakerCorrections = z.object({
  names: z.record(Label, Name).refine(isWithinLimit, tooManySpeakers),
  merged: z.record(Label, Label).refine(isWithinLimit, tooManySpeakers),
  moved: z.array(MovedLine).max(maxMoves, `At most ${maxMoves} lines can be moved`),
})
export type SpeakerCorrections = z.infer<typeof SpeakerCorrections>

export const noSpeakerCorrections: SpeakerCorrections = { names: {}, merged: {}, moved: [] }

/** Returns the name that a person gave to a speaker, otherwise the label. A merged label has the name of its target. */
export function speakerName(label: string, corrections: Pick<SpeakerCorrections, 'names' | 'merged'>): string {
  const target = mergedInto(label, corrections)
  return ownValue(corrections.names, target) ?? target
}

/** Returns the label of this speaker after all merges. Also terminates for cycles, which the server does not accept. */
export function mergedInto(label: string, { merged }: Pick<SpeakerCorrections, 'merged'>): string {
  const seen = new Set<string>()
  let target = label
  for (let next = ownValue(merged, target); next !== undefined && !seen.has(next); next = ownValue(merged, target)) {
    seen.add(target)
    target = next
  }
  return target
}

/** Returns whether merges form a cycle through this label. */
export function hasMergeCycle(label: string, corrections: Pick<SpeakerCorrections, 'merged'>): boolean {
  return ownValue(corrections.merged, mergedInto(label, corrections)) !== undefined
}

/**
 * Creates a function that returns the speaker of a line from the engine's `label` and the times of the line. Without an end, as in a
 * dialogue, only the start counts.
 */
export function createSpeakerCorrector(
  corrections: Pick<SpeakerCorrections, 'merged' | 'moved'>,
): (label: string, line: { start: number; end?: number }) => string {
  const moves = Map.groupBy(corrections.moved, ({ start }) => start)
  return (label, { start, end }) => {
    // Lines of two channels may have the same times; a line that already has the speaker was not meant.
    const move = moves.get(start)?.find((line) => (end === undefined || line.end === end) && line.speaker !== label)
    return mergedInto(move?.speaker ?? label, corrections)
  }
}

/**
 * Returns the transcription with its lines assigned to the corrected speakers; names are separate (see speakerName). Drops speakers
 * without lines; a line keeps its language. Returns the transcription itself when nothing was merged or moved.
 */
export function applySpeakerCorrections(
  transcription: TranscriptionResult,
  corrections: SpeakerCorrections,
): TranscriptionResult {
  const hasSpeakers = transcription.segments.some(({ speaker }) => speaker !== undefined)
  const isCorrected = Object.keys(corrections.merged).length > 0 || corrections.moved.length > 0
  if (!hasSpeakers || !isCorrected) return transcription
  const segments = correctSegments(transcription, corrections)
  const bySpeaker = Map.groupBy(segments, ({ speaker }) => speaker)
  const speakers = transcription.speaker_transcriptions.flatMap((entry): SpeakerTranscription[] => {
    const own = bySpeaker.get(entry.speaker) ?? []
    const isSilent = entry.segment_count === 0 && mergedInto(entry.speaker, corrections) === entry.speaker
    if (own.length === 0 && !isSilent) return []
    return [{ ...entry, transcription: joinLines(own), segment_count: own.length, segments: own }]
  })
  return {
    ...transcription,
    transcription: joinLines(segments),
    num_speakers: speakers.filter(({ segment_count }) => segment_count > 0).length,
    segments,
    speaker_transcriptions: speakers,
  }
}

function correctSegments(
  { segments, speaker_transcriptions }: TranscriptionResult,
  corrections: SpeakerCorrections,
): Segment[] {
  const languages = new Map(speaker_transcriptions.map((entry) => [entry.speaker, entry.detected_language]))
  const correct = createSpeakerCorrector(corrections)
  return segments.map((segment) => {
    if (segment.speaker === undefined) return segment
    const { language: own, ...rest } = segment
    const speaker = correct(segment.speaker, segment)
    const language = own ?? languages.get(segment.speaker) ?? null
    return { ...rest, speaker, ...(language !== null && language !== languages.get(speaker) && { language }) }
  })
}

function ownValue(entries: Record<string, string>, key: string): string | undefined {
  return Object.hasOwn(entries, key) ? entries[key] : undefined
}
