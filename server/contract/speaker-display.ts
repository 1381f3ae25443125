import { mergedInto, speakerName, type SpeakerCorrections } from './speaker-corrections.ts'
import { t } from './texts/t.ts'
import type { TranscriptionResult } from './transcription.ts'

type SpokenBy = Pick<TranscriptionResult, 'segments' | 'speaker_transcriptions'>
type Names = Pick<SpeakerCorrections, 'names' | 'merged'>

const englishChannelNames: Record<string, string> = { 'Speaker A': 'Left Channel', 'Speaker B': 'Right Channel' }

/** Returns whether each channel is a separate speaker; lines of several voices in one channel have no channel. */
export function hasSpeakingChannels({ segments, speaker_transcriptions }: SpokenBy): boolean {
  return (
    segments.some(({ channel }) => channel !== undefined) || speaker_transcriptions.some(({ channel }) => channel > 0)
  )
}

/**
 * Returns the speaker's name as shown to readers: the name given by a person, otherwise that of the channel if channels are speakers
 * (audio-workflow specification, section 1), otherwise the label, in the reader's language.
 */
export function displayName(label: string, { hasChannels, ...names }: Names & { hasChannels: boolean }): string {
  const known = mergedInto(label, names)
  if (Object.hasOwn(names.names, known)) return speakerName(known, names)
  return (hasChannels ? channelName(known) : undefined) ?? translateLabel(known)
}

function channelName(label: string): string | undefined {
  if (label === 'Speaker A') return t('Left Channel')
  return label === 'Speaker B' ? t('Right Channel') : undefined
}

/** Translates labels as the engine writes them, such as `Speaker A`. */
function translateLabel(label: string): string {
  const letter = /^Speaker ([A-Z])$/.exec(label)?.[1]
  return letter === undefined ? label : t('Speaker {letter}', { letter })
}

/** Returns the name of a speaker that the server wrote, in the reader's language unless a person gave it. */
export function translateSpeaker(name: string): string {
  const label = Object.keys(englishChannelNames).find((each) => englishChannelNames[each] === name)
  return (label === undefined ? undefined : channelName(label)) ?? translateLabel(name)
}

/** Returns whether this is the default name, in English, under which the server shows a speaker that was not named by a person. */
export function isDefaultName(label: string, name: string): boolean {
  return name === label || name === englishChannelNames[label]
}
