import { noSpeakerCorrections, SpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { carryCorrections } from './carry-corrections.ts'
import type { RecordingRecord } from './recording-record.ts'
import { readEdited, type TranscriptSource } from './transcript-source.ts'

/** How people changed a transcription: edited lines, then corrected speakers. */
export interface TranscriptionChanges {
  corrections: SpeakerCorrections
  /** The transcription with its edited lines; null where none was edited. */
  edited: TranscriptionResult | null
}

/** Returns the changes that apply to a transcription of the recording; `noChanges` without a transcription. */
export type TranscriptionChangesReader = (transcriptionId: string | undefined) => Promise<TranscriptionChanges>

/**
 * Returns a reader of what people changed in a recording, which reads each transcription once. Speaker corrections stay stored as they
 * were made; for a transcription without any, the latest ones are carried over on reading, so that a transcription that finishes
 * unattended loses none.
 */
export function createChangesReader(
  source: TranscriptSource,
  recording: Pick<RecordingRecord, 'speakerCorrections' | 'otherSpeakerCorrections'>,
): TranscriptionChangesReader {
  const { speakerCorrections: last, otherSpeakerCorrections: others = [] } = recording
  const known = new Map<string, Promise<TranscriptionChanges>>()

  async function correctionsOf(id: string): Promise<SpeakerCorrections> {
    const stored = others.find(({ transcriptionId }) => transcriptionId === id) ?? last
    const { data: corrections } = SpeakerCorrections.safeParse(stored?.corrections)
    if (!stored || !corrections) return noSpeakerCorrections
    if (stored.transcriptionId === id) return corrections
    const [before, after] = await Promise.all([stored.transcriptionId, id].map((each) => readEdited(source, each)))
    return before && after ? carryCorrections(corrections, before, after) : noSpeakerCorrections
  }

  async function read(id: string): Promise<TranscriptionChanges> {
    const [own, edits] = await Promise.all([correctionsOf(id), source.readLineEdits(id)])
    const isEdited = edits.edits.some(({ lines }) => lines !== null)
    return { corrections: own, edited: isEdited ? await readEdited(source, id) : null }
  }

  return async (id) => {
    if (!id) return noChanges
    const reading = known.get(id) ?? read(id)
    known.set(id, reading)
    return reading
  }
}

/** The changes of a recording without a transcription. */
export const noChanges: TranscriptionChanges = { corrections: noSpeakerCorrections, edited: null }
