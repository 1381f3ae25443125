import { useMemo, useState } from 'react'
import { editing as editingEndpoints } from '#contract/endpoints/editing.ts'
import { recordings } from '#contract/endpoints/recordings.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { applyLineEdits, editableSegments } from '#contract/line-edits.ts'
import { buildLines } from '../features/workspace/state/build-lines.ts'
import { DeskContext, useDesk } from '../features/workspace/state/desk-context.ts'
import { EditNotices } from '../features/workspace/editing/edit-notices.tsx'
import { useEditHistory } from '../features/workspace/state/edit-history.ts'
import { LineActions } from '../features/workspace/editing/line-actions.tsx'
import { LineEditor } from '../features/workspace/editing/line-editor.tsx'
import { useLineEditing } from '../features/workspace/editing/use-line-editing.ts'
import { SpeakersContext, useRecordingSpeakers } from '../features/workspace/speakers/recording-speakers.ts'
import { useSpeakerCorrections } from '../features/workspace/speakers/use-speaker-corrections.ts'
import { ApiError } from '../shared/api/api-error.ts'
import { useRecording } from '../shared/recordings/recordings.ts'
import { EditServer } from './edit-server.ts'
import { failure, fakeServer, offline, someUser } from './fake-server.ts'
import { makePlayer, withPlayer } from './player.tsx'
import { renderAt } from './render.tsx'

/** Renders the lines of a recording, one of which can be edited, on a server that stores edits and speakers. */
export function renderEditingDesk(recording: RecordingDetails, player = makePlayer()) {
  const server = new EditServer()
  let corrections = { value: recording.speaker_corrections, version: 0 }
  const path = `/api/recordings/${recording.id}`
  const details = () => ({
    body: {
      ...recording,
      line_edits: server.edits,
      speaker_corrections: corrections.value,
      speaker_corrections_version: corrections.version,
    },
  })
  const calls = fakeServer({
    [`GET ${path}`]: details,
    [`GET ${path}/notes`]: () => ({ body: { notes: [] } }),
    [`PATCH ${path}/lines`]: async ({ body }) => {
      const { changes, revision } = editingEndpoints.changeLines.body.parse(body)
      try {
        return { body: await server.send(changes, revision) }
      } catch (error) {
        if (!(error instanceof ApiError) || error.status === 0) return offline()
        return failure(error.status, error.message, { code: error.code })
      }
    },
    [`PUT ${path}/speakers`]: ({ body }) => {
      corrections = { value: recordings.correctSpeakers.body.parse(body).corrections, version: corrections.version + 1 }
      return details()
    },
  })
  const rendered = renderAt('/transcribe', withPlayer(<LoadedDesk id={recording.id} />, player), someUser)
  return { ...rendered, server, calls, queryKey: ['recording', recording.id] }
}

function LoadedDesk({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(true)
  const { data } = useRecording(id)
  return (
    <>
      <button onClick={() => setIsOpen(!isOpen)}>{isOpen ? 'Leave' : 'Return'}</button>
      {isOpen && data && <EditingDesk recording={data} />}
    </>
  )
}

function EditingDesk({ recording }: { recording: RecordingDetails }) {
  const history = useEditHistory()
  const correcting = useSpeakerCorrections(recording, history)
  const editing = useLineEditing(recording, history, correcting.corrections.moved)
  const { transcription: engine } = recording
  const { lineEdits } = editing
  const sources = useMemo(
    () => ({
      found: engine && applyLineEdits(engine, lineEdits),
      lines: engine ? editableSegments(engine, lineEdits) : [],
    }),
    [engine, lineEdits],
  )
  const { speakers, transcription, segments } = useRecordingSpeakers({ ...sources, editing: correcting })
  const lines = buildLines({ segments, transcription, translation: null, find: () => [], partial: [] })
  const desk = {
    recording,
    transcription,
    translation: null,
    target: 'en',
    jobs: {},
    lines,
    hits: [],
    notes: [],
    editing,
  }
  return (
    <SpeakersContext value={speakers}>
      <DeskContext value={{ ...desk, reviewedHits: new Set(), retryTranslation: undefined }}>
        <EditNotices />
        <Rows />
      </DeskContext>
    </SpeakersContext>
  )
}

function Rows() {
  const { lines, editing } = useDesk()
  return (
    <ul aria-label="Lines">
      {lines.map((line) => (
        <li key={line.id} aria-label={line.segment?.speaker}>
          {editing.editedLineId === line.id ? (
            <LineEditor line={line} />
          ) : (
            <button type="button" onClick={() => editing.open(line.id)}>
              {line.segment?.text}
            </button>
          )}
          <LineActions line={line} />
        </li>
      ))}
    </ul>
  )
}
