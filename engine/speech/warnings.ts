import { describeLanguage } from '#contract/languages.ts'
import type { TranscriptionResult, TranscriptionWarning } from '#contract/transcription.ts'
import { bleedCode } from '#contract/warning-notes.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { WindowPiece } from '#engine/audio/windows.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { ChannelPlan, PlannedWindow } from './channel-plan.ts'
import { checkScript } from './script-check.ts'
import type { WindowResult } from './window-result.ts'

const channelNames = { 0: 'left channel', 1: 'right channel' } as const

interface Outcome {
  decoded: DecodedAudio
  plans: ChannelPlan[]
  results: Pick<WindowResult, 'channel' | 'lines' | 'gaps' | 'notUnderstood' | 'impossible'>[]
  failed: PlannedWindow[]
  model: SpeechModel
}

/** Returns the warnings for the reader of a transcript about the recording, the model and the processing, the most general first. */
export function collectWarnings({ decoded, plans, results, failed, model }: Outcome): TranscriptionWarning[] {
  return [
    ...decoded.warnings,
    ...recordingWarnings(decoded, plans, results),
    ...modelWarnings(plans, model),
    ...plans.flatMap((plan) => languageWarnings(plan, plans)),
    ...plans.flatMap(({ channel, bleed }) => bleed.map((passage) => bleedWarning(channel, passage))),
    ...failed.flatMap(({ channel, window }) =>
      failedTurns(window.pieces).map((turn) => failureWarning(plans, channel, turn)),
    ),
    ...results.flatMap(({ channel, gaps }) => gaps.map((gap) => repetitionWarning(plans, channel, gap))),
    ...notUnderstoodWarnings(plans, results),
    ...results.flatMap(({ channel, impossible }) => impossible.map((line) => impossibleWarning(plans, channel, line))),
  ]
}

/** Returns a warning for each channel whose transcript is not in the script of its language; its voices are checked as one text. */
export function scriptWarnings({
  speaker_transcriptions: speakers,
}: Pick<TranscriptionResult, 'speaker_transcriptions'>): TranscriptionWarning[] {
  const channels = [...Map.groupBy(speakers, ({ channel }) => channel).values()]
  return channels.flatMap((voices) => {
    const language = voices[0]?.detected_language
    const text = voices.map(({ transcription }) => transcription).join('\n')
    const names = new Intl.ListFormat('en').format(voices.map(({ speaker }) => speaker))
    const warning = language && checkScript(text, language, channels.length > 1 ? names : undefined)
    return warning ? [warning] : []
  })
}

function recordingWarnings(
  decoded: DecodedAudio,
  plans: ChannelPlan[],
  results: Outcome['results'],
): TranscriptionWarning[] {
  const warnings: TranscriptionWarning[] = []
  if (decoded.isDualMono) {
    warnings.push({
      code: 'dual_mono',
      message: 'Both channels carry the same sound, so the recording was transcribed as one channel.',
    })
  }
  if (plans.every(({ spans }) => spans.length === 0)) {
    warnings.push({ code: 'no_speech', message: 'No speech was found in this recording.' })
  } else if (results.length > 0 && results.every(({ lines, gaps }) => lines.length === 0 && gaps.length === 0)) {
    warnings.push({ code: 'no_words', message: 'A voice was found, but no words were understood.' })
  }
  return warnings
}

/** The main model counts as used if it detected the language, whichever model transcribed. */
function modelWarnings(plans: ChannelPlan[], main: SpeechModel): TranscriptionWarning[] {
  const windows = plans.flatMap((plan) => plan.windows)
  const usedMain = windows.some(({ languageProbability }) => languageProbability !== null) ? [main] : []
  const used = [...windows.map(({ model }) => model), ...usedMain]
  if (!used.some(({ isDemo }) => isDemo)) return []
  return [
    {
      code: 'demo_model',
      message: 'This is the demo speech model: it knows a few dozen words of each language and no real voice.',
    },
  ]
}

function languageWarnings(plan: ChannelPlan, plans: ChannelPlan[]): TranscriptionWarning[] {
  const { channel, language, otherLanguages } = plan
  const who = describeSpeaker(plan, plans)
  const transcribed = describeLanguage(language ?? '').name
  return otherLanguages.map(({ language: other, ...passage }) => ({
    code: 'language_changes',
    message:
      `${who} seems to speak ${describeLanguage(other).name} ${describeTimes(passage)}, ` +
      `but was transcribed in ${transcribed}.`,
    ...passageFields(plans, channel, passage),
  }))
}

function describeSpeaker({ speaker, channel, voices }: ChannelPlan, plans: ChannelPlan[]): string {
  if (plans.length === 1) return voices ? 'Somebody' : 'The speaker'
  return voices ? `Somebody in the ${channelNames[channel]}` : speaker
}

/** Returns the turns of a window, each from its first to its last speech. */
function failedTurns(pieces: WindowPiece[]): { startMs: number; endMs: number }[] {
  const turns: { startMs: number; endMs: number }[] = []
  for (const { beginsTurn, speechStartMs, speechEndMs } of pieces) {
    const turn = turns.at(-1)
    if (turn && !beginsTurn) turn.endMs = speechEndMs
    else turns.push({ startMs: speechStartMs, endMs: speechEndMs })
  }
  return turns
}

interface Passage {
  startMs: number
  endMs: number
}

function failureWarning(plans: ChannelPlan[], channel: 0 | 1, passage: Passage): TranscriptionWarning {
  return {
    code: 'window_failed',
    message: `${describePassage(plans, channel, passage)} could not be transcribed.`,
    ...passageFields(plans, channel, passage),
  }
}

function repetitionWarning(plans: ChannelPlan[], channel: number, passage: Passage): TranscriptionWarning {
  return {
    code: 'repetition',
    message: `${describePassage(plans, channel, passage)} was not understood: the model only repeated itself.`,
    ...passageFields(plans, channel, passage),
  }
}

/** Warns of speech without words, unless the whole recording has none, for which there is a separate warning. */
function notUnderstoodWarnings(plans: ChannelPlan[], results: Outcome['results']): TranscriptionWarning[] {
  if (results.every(({ lines }) => lines.length === 0)) return []
  return results.flatMap(({ channel, notUnderstood }) =>
    notUnderstood.map((passage) => ({
      code: 'not_understood',
      message: `${describePassage(plans, channel, passage)} has a voice, but no words were understood.`,
      ...passageFields(plans, channel, passage),
    })),
  )
}

function impossibleWarning(
  plans: ChannelPlan[],
  channel: number,
  line: Passage & { text: string },
): TranscriptionWarning {
  return {
    code: 'impossible_text',
    message: `“${line.text}”${placeOf(plans, channel)} at ${clock(line.startMs)} was left out: it is too long for the time it has.`,
    ...passageFields(plans, channel, line),
  }
}

function bleedWarning(channel: 0 | 1, passage: Passage): TranscriptionWarning {
  return {
    code: bleedCode,
    message:
      `The ${channelNames[channel]} holds only the voice of the ${channelNames[channel === 0 ? 1 : 0]} (bleed) ` +
      `${describeTimes(passage)}, which was left out.`,
    ...times(passage),
    channel,
  }
}

function passageFields(plans: ChannelPlan[], channel: number, passage: Passage) {
  return { ...times(passage), ...(plans.length > 1 && { channel }) }
}

function times({ startMs, endMs }: Passage): { start: number; end: number } {
  return { start: Math.round(startMs) / 1000, end: Math.round(endMs) / 1000 }
}

function describePassage(plans: ChannelPlan[], channel: number, passage: Passage): string {
  return `The passage${placeOf(plans, channel)} ${describeTimes(passage)}`
}

/** Rounds outward to whole seconds, so that no passage ends in the second in which it begins. */
function describeTimes({ startMs, endMs }: Passage): string {
  return `from ${clock(startMs)} to ${clock(Math.ceil(endMs / 1000) * 1000)}`
}

/** Returns whose passage it is, if there are two channels. */
function placeOf(plans: ChannelPlan[], channel: number): string {
  const plan = plans.length > 1 && plans.find((candidate) => candidate.channel === channel)
  return plan ? ` of ${plan.voices ? `the ${channelNames[plan.channel]}` : plan.speaker}` : ''
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
