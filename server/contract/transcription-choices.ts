import { z } from 'zod'
import { maxSpeakerCount } from './speaker-corrections.ts'

/** How many speakers a mono recording has, if the caller knows; otherwise voices are counted. */
export const SpeakerCount = z.int().min(1).max(maxSpeakerCount)

/** For each of two channels, left first: whether several voices share it, as on a speakerphone or a handset that was passed on. */
export const SplitVoices = z.array(z.boolean()).max(2)

/** Id of an installed speech model, for all channels; without one each language has the model that is set for it. */
export const SpeechModelId = z.string().min(1).max(200)
