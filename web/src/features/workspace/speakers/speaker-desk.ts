import { createContext, use, useMemo } from 'react'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { applySpeakerCorrections, noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Segment } from '#contract/transcription.ts'
import { createDescriber, type DescribeSpeaker } from './describe-speaker.ts'
import { moveLine } from './edit-corrections.ts'
import { useSpeakerCorrections } from './use-speaker-corrections.ts'
import { listVoices, type Voice } from './voices.ts'

/** The speakers of the recording on screen, for everything that shows or changes one. */
interface SpeakerDesk {
  describe: DescribeSpeaker
  voices: Voice[]
  /** The speaker whom the engine heard in a line, where that is another one than now. */
  movedFrom: (line: Segment) => string | undefined
  /** Gives a line to another speaker; undefined where nobody can. */
  move: ((line: Segment, label: string) => void) | undefined
}

/** Without a recording speakers are shown as the transcription calls them. */
const emptyDesk: SpeakerDesk = {
  describe: createDescriber(null, noSpeakerCorrections),
  voices: [],
  movedFrom: () => undefined,
  move: undefined,
}

export const SpeakerDeskContext = createContext<SpeakerDesk>(emptyDesk)

/** Returns the speakers of the recording on screen. */
export function useSpeakerDesk(): SpeakerDesk {
  return use(SpeakerDeskContext)
}

/** Builds the speakers of a recording, with how they are corrected and the transcription as it is to be shown. */
export function useDeskOf(recording: RecordingDetails) {
  const editing = useSpeakerCorrections(recording)
  const { corrections, change } = editing
  const { transcription: found } = recording
  const shown = useMemo(() => {
    const transcription = found && applySpeakerCorrections(found, corrections)
    const describe = createDescriber(found, corrections)
    const voices = transcription ? listVoices(transcription, describe) : []
    // Corrections leave the lines in their order.
    const heard = new Map(transcription?.segments.map((line, index) => [line, found?.segments[index]?.speaker]))
    return { transcription, describe, voices, heard }
  }, [found, corrections])

  const { transcription, describe, voices, heard } = shown
  const desk: SpeakerDesk = {
    describe,
    voices,
    movedFrom(line) {
      const before = heard.get(line)
      return before !== undefined && describe(before).label !== line.speaker ? before : undefined
    },
    move(line, label) {
      const heardIn = heard.get(line)
      if (heardIn === undefined) return
      change(moveLine(corrections, { ...line, found: heardIn }, label), `Line moved to ${describe(label).name}`)
    },
  }
  return { desk, transcription, editing }
}
