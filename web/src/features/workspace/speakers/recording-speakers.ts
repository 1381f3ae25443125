import { createContext, use, useEffect, useMemo, useRef } from 'react'
import { isolateName } from '#contract/isolated-name.ts'
import type { EditableSegment } from '#contract/line-edits.ts'
import { applySpeakerCorrections, noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import { t } from '#contract/texts/t.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { createDescriber, type DescribeSpeaker } from './describe-speaker.ts'
import { moveLine } from './edit-corrections.ts'
import type { useSpeakerCorrections } from './use-speaker-corrections.ts'
import { listVoices, type Voice } from './voices.ts'

/** The speakers of the recording on screen, for everything that shows or changes speakers. */
interface RecordingSpeakers {
  describe: DescribeSpeaker
  voices: Voice[]
  /** Returns the speaker that the engine found in a line that was moved to another speaker. */
  movedFrom: (line: Segment) => string | undefined
  /** Moves a line to another speaker; undefined if lines cannot be moved. */
  move: ((line: Segment, label: string) => void) | undefined
}

/** Without a recording, speakers are shown by their labels in the transcription. */
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

interface SpeakerSources {
  /** The transcription, with its lines as edited. */
  found: TranscriptionResult | null
  /** The same lines, each with its origin. */
  lines: EditableSegment[]
  editing: Pick<ReturnType<typeof useSpeakerCorrections>, 'corrections' | 'change'>
}

/** Returns the speakers of a transcription, and the transcription and its lines with the corrections applied. */
export function useRecordingSpeakers({ found, lines, editing: { corrections, change } }: SpeakerSources) {
  const shown = useMemo(() => {
    const transcription = found && applySpeakerCorrections(found, corrections)
    const describe = createDescriber(found, corrections)
    const voices = transcription ? listVoices(transcription, describe) : []
    // Corrections keep the order of the lines.
    const segments = lines.map((line, index): EditableSegment => ({ ...line, ...transcription?.segments[index] }))
    const foundLabels = new Map<Segment, string | undefined>()
    for (const [index, line] of lines.entries()) {
      const corrected = transcription?.segments[index]
      for (const key of [segments[index], corrected]) if (key) foundLabels.set(key, line.speaker)
    }
    return { transcription, segments, describe, voices, foundLabels }
  }, [found, lines, corrections])

  const latestChange = useRef(change)
  useEffect(() => {
    latestChange.current = change
  })

  const speakers = useMemo((): RecordingSpeakers => {
    const { describe, voices, foundLabels } = shown
    return {
      describe,
      voices,
      movedFrom(line) {
        const label = foundLabels.get(line)
        return label !== undefined && describe(label).label !== line.speaker ? label : undefined
      },
      move(line, label) {
        const foundLabel = foundLabels.get(line)
        if (foundLabel === undefined) return
        const moved = moveLine(corrections, { ...line, found: foundLabel }, label)
        latestChange.current(moved, t('Line moved to {name}', { name: isolateName(describe(label).name) }))
      },
    }
  }, [shown, corrections])
  return { speakers, transcription: shown.transcription, segments: shown.segments }
}
