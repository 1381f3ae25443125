import { useMemo, type ReactNode } from 'react'
import { recordings } from '#contract/endpoints/recordings.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { editableSegments } from '#contract/line-edits.ts'
import { noSpeakerCorrections, SpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { useSpeakerCorrections } from '../features/workspace/speakers/use-speaker-corrections.ts'
import { SpeakersContext, useRecordingSpeakers } from '../features/workspace/speakers/recording-speakers.ts'
import { useRecording } from '../shared/recordings/recordings.ts'
import { failure, fakeServer, someUser } from './fake-server.ts'
import { renderAt } from './render.tsx'
import { makeRecording } from './transcripts.ts'

const lines: Segment[] = [
  { start: 0, end: 4, text: 'good morning', speaker: 'Speaker A' },
  { start: 5, end: 7, text: 'good morning to you', speaker: 'Speaker B' },
  { start: 6.5, end: 16, text: 'is the bridge open', speaker: 'Speaker C', overlap: true },
  { start: 20, end: 24, text: 'it is', speaker: 'Speaker A' },
]

/** Returns a mono call with three voices. */
export function makeMonoCall(overrides: Partial<RecordingDetails> = {}): RecordingDetails {
  const transcription: TranscriptionResult = {
    transcription_id: '0123456789abcdef01234567',
    transcription: lines.map(({ text }) => text).join('\n'),
    detected_language: 'en',
    language_probability: 0.9,
    num_speakers: 3,
    segments: lines,
    speaker_transcriptions: ['Speaker A', 'Speaker B', 'Speaker C'].map((speaker) => {
      const segments = lines.filter((line) => line.speaker === speaker)
      return {
        speaker,
        channel: 0,
        transcription: segments.map(({ text }) => text).join(' '),
        segment_count: segments.length,
        detected_language: 'en',
        language_probability: 0.9,
        segments,
      }
    }),
    speaker_separation: { by: 'voices', band: 'telephone' },
    duration: 40,
    model: 'test',
    warnings: [],
  }
  return makeRecording(transcription, { channels: 1, is_stereo: false, peaks: [[0]], duration: 40, ...overrides })
}

interface ShownSpeakers {
  recording: RecordingDetails & { transcription: TranscriptionResult }
  editing: ReturnType<typeof useSpeakerCorrections>
}

type RenderPart = (shown: ShownSpeakers) => ReactNode

/** Renders a part of the workspace with the speakers of a recording, on a server that stores corrections unless `refuse` is set. */
export function renderWithSpeakers(recording: RecordingDetails, renderPart: RenderPart) {
  const server = {
    stored: { corrections: noSpeakerCorrections, version: 0 },
    /** Responds to the next save instead of storing it, once. */
    refuse: undefined as (() => ReturnType<typeof failure>) | undefined,
  }
  const path = `/api/recordings/${recording.id}`
  const details = () => ({
    body: {
      ...recording,
      speaker_corrections: server.stored.corrections,
      speaker_corrections_version: server.stored.version,
    },
  })
  const calls = fakeServer({
    [`GET ${path}`]: details,
    [`PUT ${path}/speakers`]: ({ body }) => {
      const { refuse } = server
      server.refuse = undefined
      if (refuse) return refuse()
      const { corrections, version } = recordings.correctSpeakers.body.parse(body)
      if (version !== server.stored.version) return failure(409, 'Somebody was faster.', { code: 'conflict' })
      server.stored = { corrections: SpeakerCorrections.parse(corrections), version: version + 1 }
      return details()
    },
  })
  const { user } = renderAt('/transcribe', <RecordingById id={recording.id} renderPart={renderPart} />, someUser)
  return { user, server, calls }
}

function RecordingById({ id, renderPart }: { id: string; renderPart: RenderPart }) {
  const { data } = useRecording(id)
  return data && <LoadedRecording found={data} renderPart={renderPart} />
}

function LoadedRecording({ found, renderPart }: { found: RecordingDetails; renderPart: RenderPart }) {
  const editing = useSpeakerCorrections(found)
  const { transcription: engineText } = found
  const lines = useMemo(() => (engineText ? editableSegments(engineText, found.line_edits) : []), [engineText, found])
  const { speakers, transcription } = useRecordingSpeakers({ found: engineText, lines, editing })
  if (!transcription) return null
  return (
    <SpeakersContext value={speakers}>
      {renderPart({ recording: { ...found, transcription }, editing })}
    </SpeakersContext>
  )
}
