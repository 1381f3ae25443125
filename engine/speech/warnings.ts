import { describeLanguage, TranscriptionLanguage } from '#contract/languages.ts'
import type { TranscriptionResult, TranscriptionWarning } from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { ChannelPlan, PlannedWindow } from './channel-plan.ts'
import { checkScript } from './script-check.ts'
import type { WindowResult } from './window-result.ts'

interface Outcome {
  decoded: DecodedAudio
  plans: ChannelPlan[]
  results: WindowResult[]
  failed: PlannedWindow[]
}

/** What a reader of the transcript should know, about the recording, the model and the work, most general first. */
export function collectWarnings({ decoded, plans, results, failed }: Outcome): TranscriptionWarning[] {
  return [
    ...decoded.warnings,
    ...recordingWarnings(decoded, plans),
    ...modelWarnings(plans),
    ...failed.map(({ channel, window }) => ({
      code: 'window_failed',
      message: `${passage(plans, channel, window.pieces)} could not be transcribed.`,
    })),
    ...results.filter(({ isShortened }) => isShortened).map((result) => repetitionWarning(plans, result)),
  ]
}

/** Warns of each speaker whose transcript is not in its language's letters. */
export function scriptWarnings({
  speaker_transcriptions: speakers,
}: Pick<TranscriptionResult, 'speaker_transcriptions'>): TranscriptionWarning[] {
  return speakers.flatMap(({ speaker, transcription, detected_language: language }) => {
    const warning = language && checkScript(transcription, language, speakers.length > 1 ? speaker : undefined)
    return warning ? [warning] : []
  })
}

function recordingWarnings(decoded: DecodedAudio, plans: ChannelPlan[]): TranscriptionWarning[] {
  const warnings: TranscriptionWarning[] = []
  if (decoded.isDualMono) {
    warnings.push({
      code: 'dual_mono',
      message: 'Both channels carry the same voice, so the recording was transcribed as one speaker.',
    })
  }
  if (plans.every(({ spans }) => spans.length === 0)) {
    warnings.push({ code: 'no_speech', message: 'No speech was found in this recording.' })
  }
  return warnings
}

function modelWarnings(plans: ChannelPlan[]): TranscriptionWarning[] {
  const spoken = plans.filter(({ windows }) => windows.length > 0)
  const strange = spoken.filter(
    ({ language }) => language !== null && !TranscriptionLanguage.safeParse(language).success,
  )
  const warnings = strange.map(({ speaker, language }) => ({
    code: 'unexpected_language',
    message: `${speaker} seems to speak ${describeLanguage(language ?? '').name}, which is none of the languages offered here.`,
  }))
  if (!spoken.some(({ model }) => model.isDemo)) return warnings
  return [
    {
      code: 'demo_model',
      message: 'This is the demo speech model: it knows a few dozen words of each language and no real voice.',
    },
    ...warnings,
  ]
}

function repetitionWarning(plans: ChannelPlan[], { channel, texts }: WindowResult): TranscriptionWarning {
  const pieces = texts.map(({ startMs, endMs }) => ({ speechStartMs: startMs, speechEndMs: endMs }))
  return {
    code: 'repetition',
    message: `${passage(plans, channel, pieces)} was written over and over by the model and was shortened.`,
  }
}

function passage(
  plans: ChannelPlan[],
  channel: number,
  pieces: { speechStartMs: number; speechEndMs: number }[],
): string {
  const speaker = plans.length > 1 ? ` of ${plans.find((plan) => plan.channel === channel)?.speaker ?? ''}` : ''
  return `The passage${speaker} from ${clock(pieces[0]?.speechStartMs ?? 0)} to ${clock(pieces.at(-1)?.speechEndMs ?? 0)}`
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
