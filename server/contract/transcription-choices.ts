import { z } from 'zod'
import { maxSpeakerCount } from './speaker-corrections.ts'

/** The number of speakers in a mono recording, if the caller knows it; otherwise voices are counted. */
export const SpeakerCount = z.int().min(1).max(maxSpeakerCount)

/** For each of two channels, left first: whether several voices share it, for example on a speakerphone or a handset passed around. */
export const SplitVoices = z.array(z.boolean()).max(2)

/** Id of an installed speech model for all channels; if missing, each language uses the model that is set for it. */
export const SpeechModelId = z.string().min(1).max(200)
