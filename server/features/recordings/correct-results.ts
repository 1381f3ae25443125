import type { DiarizationResult } from '#contract/entities/job.ts'
import { createSpeakerCorrector, mergedInto, type SpeakerCorrections } from '#contract/speaker-corrections.ts'
import { joinSpeakerTranslation } from '#contract/speaker-translation.ts'
import type { TranslationResult } from '#contract/translation.ts'

/** Returns a translation with its lines assigned to the corrected speakers. A speaker that lost all lines is dropped, one that had none stays. */
export function correctTranslation(translation: TranslationResult, corrections: SpeakerCorrections): TranslationResult {
  const { speaker_translations: speakers } = translation
  if (speakers.length === 0 || isEmpty(corrections)) return translation
  const correct = createSpeakerCorrector(corrections)
  const lines = speakers.flatMap(({ speaker, segments }) =>
    segments.map((segment) => ({ speaker: correct(speaker, segment), segment })),
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

/** Returns a dialogue with its lines assigned to the corrected speakers. */
export function correctDialogue(diarization: DiarizationResult, corrections: SpeakerCorrections): DiarizationResult {
  if (isEmpty(corrections)) return diarization
  const correct = createSpeakerCorrector(corrections)
  const timeline = diarization.dialogue_timeline.map((turn) => {
    return { ...turn, speaker: correct(turn.speaker, { start: turn.timestamp }) }
  })
  const num_speakers = new Set(timeline.map(({ speaker }) => speaker)).size
  return { ...diarization, num_speakers, dialogue_timeline: timeline }
}

function isEmpty({ merged, moved }: SpeakerCorrections): boolean {
  return Object.keys(merged).length === 0 && moved.length === 0
}
