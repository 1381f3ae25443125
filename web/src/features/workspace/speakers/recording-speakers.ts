import { createContext, use, useMemo } from 'react'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { applySpeakerCorrections, noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Segment } from '#contract/transcription.ts'
import { createDescriber, type DescribeSpeaker } from './describe-speaker.ts'
import { moveLine } from './edit-corrections.ts'
import { useSpeakerCorrections } from './use-speaker-corrections.ts'
import { listVoices, type Voice } from './voices.ts'

/** The speakers of the recording on screen, for everything that shows or changes one. */
interface RecordingSpeakers {
  describe: DescribeSpeaker
  voices: Voice[]
  /** Returns the speaker whom the engine found in a line that was moved to another one. */
  movedFrom: (line: Segment) => string | undefined
  /** Moves a line to another speaker; undefined where lines cannot be moved. */
  move: ((line: Segment, label: string) => void) | undefined
}

/** Without a recording, speakers are shown as the transcription labels them. */
const noSpeakers: RecordingSpeakers = {
  describe: createDescriber(null, noSpeakerCorrections),
  voices: [],
  movedFrom: () => undefined,
  move: undefined,
}

export const SpeakersContext = createContext<RecordingSpeakers>(noSpeakers)

/** Returns the speakers of the recording on screen. */
export function useSpeakers(): RecordingSpeakers {
  return use(SpeakersContext)
}

/** Returns the speakers of a recording, how they are corrected, and the transcription with the corrections applied. */
export function useRecordingSpeakers(recording: RecordingDetails) {
  const editing = useSpeakerCorrections(recording)
  const { corrections, change } = editing
  const { transcription: found } = recording
  const shown = useMemo(() => {
    const transcription = found && applySpeakerCorrections(found, corrections)
    const describe = createDescriber(found, corrections)
    const voices = transcription ? listVoices(transcription, describe) : []
    // Corrections leave the lines in their order.
    const foundLabels = new Map(transcription?.segments.map((line, index) => [line, found?.segments[index]?.speaker]))
    return { transcription, describe, voices, foundLabels }
  }, [found, corrections])

  const { transcription, describe, voices, foundLabels } = shown
  const speakers: RecordingSpeakers = {
    describe,
    voices,
    movedFrom(line) {
      const label = foundLabels.get(line)
      return label !== undefined && describe(label).label !== line.speaker ? label : undefined
    },
    move(line, label) {
      const foundLabel = foundLabels.get(line)
      if (foundLabel === undefined) return
      change(moveLine(corrections, { ...line, found: foundLabel }, label), `Line moved to ${describe(label).name}`)
    },
  }
  return { speakers, transcription, editing }
}
