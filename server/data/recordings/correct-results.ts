import { dialogueTimeline } from '#contract/dialogue-timeline.ts'
import type { DiarizationResult } from '#contract/entities/job.ts'
import { createSpeakerCorrector, mergedInto, type SpeakerCorrections } from '#contract/speaker-corrections.ts'
import { joinSpeakerTranslation } from '#contract/speaker-translation.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import type { TranslatedSegment, TranslationResult } from '#contract/translation.ts'

/** Edits that people made to the transcription that a result is derived from. */
interface Changes {
  corrections: SpeakerCorrections
  /** The transcription with its edited lines; null where none was edited. */
  edited: TranscriptionResult | null
}

/**
 * Returns a translation with its lines assigned to the speakers that people chose. The translated texts do not change. A speaker who has
 * lost all lines is dropped, but one who never had any is kept.
 */
export function correctTranslation(
  translation: TranslationResult,
  { corrections, edited }: Changes,
): TranslationResult {
  const { speaker_translations: speakers } = translation
  if (speakers.length === 0 || (isEmpty(corrections) && !edited)) return translation
  const correct = createSpeakerCorrector(corrections)
  const speakersNow = speakersByLine(edited?.segments ?? [])
  const lines = speakers.flatMap(({ speaker, segments }) =>
    segments.map((segment) => {
      const now = speakersNow.get(keyOf(segment))
      return { speaker: correct(now && !now.has(speaker) ? ([...now][0] ?? speaker) : speaker, segment), segment }
    }),
  )
  const bySpeaker = Map.groupBy(
    lines.toSorted((a, b) => a.segment.start - b.segment.start),
    ({ speaker }) => speaker,
  )
  const labels = [...new Set([...speakers.map(({ speaker }) => speaker), ...bySpeaker.keys()])]
  const corrected = labels.flatMap((label) => {
    const own = bySpeaker.get(label)?.map(({ segment }) => segment)
    if (own) return [joinSpeakerTranslation(label, own)]
    return speakers.filter(({ speaker, segments }) => {
      return speaker === label && segments.length === 0 && mergedInto(label, corrections) === label
    })
  })
  return { ...translation, speaker_translations: corrected, num_speakers: bySpeaker.size }
}

/** Returns a dialogue with its lines as people edited them, and assigned to the corrected speakers. */
export function correctDialogue(diarization: DiarizationResult, { corrections, edited }: Changes): DiarizationResult {
  if (isEmpty(corrections) && !edited) return diarization
  const correct = createSpeakerCorrector(corrections)
  const lines = edited ? dialogueTimeline(edited.segments) : diarization.dialogue_timeline
  const timeline = lines.map((turn) => {
    return { ...turn, speaker: correct(turn.speaker, { start: turn.timestamp }) }
  })
  const num_speakers = new Set(timeline.map(({ speaker }) => speaker)).size
  return { ...diarization, num_speakers, dialogue_timeline: timeline }
}

/** Returns who says each line; several where lines have the same times and text. */
function speakersByLine(lines: Segment[]): Map<string, Set<string>> {
  const speakers = new Map<string, Set<string>>()
  for (const line of lines) {
    if (line.speaker === undefined) continue
    speakers.set(keyOf(line), (speakers.get(keyOf(line)) ?? new Set()).add(line.speaker))
  }
  return speakers
}

function keyOf({ start, end, text }: Pick<TranslatedSegment, 'start' | 'end' | 'text'>): string {
  return JSON.stringify([start, end, text])
}

function isEmpty({ merged, moved }: SpeakerCorrections): boolean {
  return Object.keys(merged).length === 0 && moved.length === 0
}
