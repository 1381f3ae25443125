import { z } from 'zod'
import { wordsOfLines } from './edited-words.ts'
import { joinLines } from './progress-text.ts'
import { createSpeakerCorrector, type MovedLine } from './speaker-corrections.ts'
import type { Segment, SpeakerTranscription, TranscriptionResult, Word } from './transcription.ts'

/** Far more than a line of at most 30 s contains. */
export const maxLineCharacters = 5_000

/** Far more than a person edits at once. */
export const maxLinesPerEdit = 100

/** More than the number of lines of any recording. */
export const maxChangesPerRequest = 1_000

/** One line of text, whatever was pasted: control characters and line breaks become spaces. */
const LineText = z
  .string()
  .overwrite((text) =>
    text
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  )
  .min(1, 'A line must not be empty')
  .max(maxLineCharacters, `A line has at most ${maxLineCharacters} characters`)

/** A line as a person wrote it. Times are in seconds; `speaker` is a label of the transcription, missing if it has none. */
export const EditedLine = z.object({
  start: z.number().nonnegative(),
  end: z.number().nonnegative(),
  text: LineText,
  speaker: z.string().min(1).max(40).optional(),
})
export type EditedLine = z.infer<typeof EditedLine>

/** Indexes of lines in `segments` as the engine wrote them, ascending. */
const Indexes = z.array(z.int().nonnegative()).min(1).max(maxLinesPerEdit)

/**
 * Lines of the engine and their replacement by a person: one for one when the text was corrected, several for one when it was split, one
 * for several when they were joined. `lines` is null if the engine's lines were restored.
 */
export const LineChange = z.object({
  from: Indexes,
  lines: z.array(EditedLine).min(1).max(maxLinesPerEdit).nullable(),
})
export type LineChange = z.infer<typeof LineChange>

/** A stored change; `revision` is the overall revision when it was written. No index is in two edits. */
export const LineEdit = LineChange.extend({ revision: z.int().positive() })
export type LineEdit = z.infer<typeof LineEdit>

/** People's edits to the lines of one transcription. `revision` increases with every change; 0 means never edited. */
export const LineEdits = z.object({ revision: z.int().nonnegative(), edits: z.array(LineEdit) })
export type LineEdits = z.infer<typeof LineEdits>

export const noLineEdits: LineEdits = { revision: 0, edits: [] }

/** A line to show: a segment with the indexes of the engine's lines from which it was made. */
export type EditableSegment = Segment & {
  /** Indexes in `segments` as the engine wrote them. */
  from: number[]
  /** Set if a person changed the line. */
  isEdited?: true
}

/**
 * Returns the lines to show, in order of time: the engine's lines, replaced where a person edited them (see wordsOfLines for their words).
 * An edited line has the channel and the language of the engine's line with which it shares most time. Edits of indexes that the
 * transcription lacks are ignored. Lines in `moved` have the speaker to whom they were moved, so that changes to a line start from that.
 */
export function editableSegments(
  transcription: Pick<TranscriptionResult, 'segments' | 'speaker_transcriptions'>,
  edits: LineEdits,
  moved: MovedLine[] = [],
): EditableSegment[] {
  const { segments } = transcription
  const applied = edits.edits.filter(
    ({ from, lines }) => lines !== null && from.every((index) => index < segments.length),
  )
  const replaced = new Set(applied.flatMap(({ from }) => from))
  const kept = segments.flatMap((segment, index): EditableSegment[] => {
    return replaced.has(index) ? [] : [{ ...segment, from: [index] }]
  })
  const edited = applied.flatMap((edit) => toSegments(edit, transcription))
  const all =
    edited.length === 0 ? kept : [...kept, ...edited].toSorted((a, b) => a.start - b.start || firstOf(a) - firstOf(b))
  return moved.length === 0 ? all : moveLines(all, moved)
}

/** Returns the transcription with the edited lines in place of the engine's; the transcription itself if nothing was edited. */
export function applyLineEdits(transcription: TranscriptionResult, edits: LineEdits): TranscriptionResult {
  if (!edits.edits.some(({ lines }) => lines !== null)) return transcription
  const segments = editableSegments(transcription, edits).map(toSegment)
  const isOneVoice = transcription.speaker_transcriptions.length === 1
  const speakers = transcription.speaker_transcriptions.map((entry): SpeakerTranscription => {
    const own = isOneVoice ? segments : segments.filter(({ speaker }) => speaker === entry.speaker)
    return { ...entry, transcription: joinLines(own), segment_count: own.length, segments: own }
  })
  return {
    ...transcription,
    transcription: joinLines(segments),
    num_speakers: isOneVoice ? transcription.num_speakers : speakers.filter((entry) => entry.segment_count > 0).length,
    segments,
    speaker_transcriptions: speakers,
  }
}

function toSegment(line: EditableSegment): Segment {
  const { from: _, isEdited: __, ...segment } = line
  return segment
}

function moveLines(segments: EditableSegment[], moved: MovedLine[]): EditableSegment[] {
  const speakerOf = createSpeakerCorrector({ merged: {}, moved })
  return segments.map((segment) => {
    return segment.speaker === undefined ? segment : { ...segment, speaker: speakerOf(segment.speaker, segment) }
  })
}

function firstOf({ from }: EditableSegment): number {
  return from[0] ?? 0
}

function toSegments(
  { from, lines }: LineChange,
  transcription: Pick<TranscriptionResult, 'segments' | 'speaker_transcriptions'>,
): EditableSegment[] {
  const written = from.flatMap((index) => transcription.segments[index] ?? [])
  const words = wordsOfLines(lines ?? [], written)
  const isRead = createReadCheck(lines ?? [], written)
  return (lines ?? []).map((line, index) => {
    const { start, end, text, speaker } = line
    const { channel, ...source } = closest(line, written)
    const language = source.language ?? languageOf(source.speaker, transcription)
    const label = speaker ?? source.speaker
    return {
      start,
      end,
      text,
      ...(label !== undefined && { speaker: label }),
      ...(channel !== undefined && { channel }),
      ...(language !== undefined && language !== languageOf(label, transcription) && { language }),
      ...(words && toWordFields(words[index] ?? [], { isRead: isRead(line) })),
      from,
      isEdited: true,
    }
  })
}

/** Returns the engine's line that shares most time with an edited line. */
function closest({ start, end }: EditedLine, written: Segment[]): Pick<Segment, 'speaker' | 'channel' | 'language'> {
  const shared = (other: Segment) => Math.min(end, other.end) - Math.max(start, other.start)
  return written.toSorted((a, b) => shared(b) - shared(a))[0] ?? {}
}

/**
 * Returns a function that checks whether a person changed the text of a line, and thus has read it: a split or a join by itself says
 * nothing about the words.
 */
function createReadCheck(lines: EditedLine[], written: Segment[]): (line: EditedLine) => boolean {
  const before = textOf(written)
  if (textOf(lines) === before) return () => false
  return ({ text }) => lines.length === 1 || !before.includes(text)
}

function textOf(lines: Pick<Segment, 'text'>[]): string {
  return lines.map(({ text }) => text.trim()).join(' ')
}

function languageOf(
  label: string | undefined,
  { speaker_transcriptions }: Pick<TranscriptionResult, 'speaker_transcriptions'>,
): string | undefined {
  return speaker_transcriptions.find(({ speaker }) => speaker === label)?.detected_language ?? undefined
}

/** Returns a word, or a line, without its confidence. */
export function withoutConfidence<Item extends { confidence?: number | undefined }>(
  item: Item,
): Omit<Item, 'confidence'> {
  const { confidence: _, ...rest } = item
  return rest
}

/** Omits the confidence of a line if that of a word is unknown, and all confidences if a person has read the words. */
function toWordFields(words: Word[], { isRead }: { isRead: boolean }): Pick<Segment, 'words' | 'confidence'> {
  if (isRead) return { words: words.map(withoutConfidence) }
  const confidences = words.flatMap(({ confidence }) => confidence ?? [])
  if (confidences.length < words.length || words.length === 0) return { words }
  const mean = confidences.reduce((sum, confidence) => sum + confidence, 0) / words.length
  return { words, confidence: Math.round(mean * 100) / 100 }
}
