import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { editing } from '#contract/endpoints/editing.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { LineEdits } from '#contract/line-edits.ts'
import { ApiError } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import type { EditHistory } from './edit-history.ts'
import { LineEditQueue } from './line-edit-queue.ts'
import { keepUnsentEdits, readUnsentEdits } from './unsent-edits.ts'

/** Returns the queue of changes to the current transcription of a recording, the edits to show and whether they are saved. */
export function useEditQueue(recording: RecordingDetails, history: EditHistory) {
  const client = useQueryClient()
  const transcriptionId = recording.transcription?.transcription_id ?? null
  const { id, line_edits: stored } = recording
  // Another version has lines of its own: what is unsent of the one before it stays in its queue.
  // oxlint-disable-next-line react/exhaustive-deps -- edits that come later are received below
  const queue = useMemo(() => createQueue(client, id, transcriptionId, stored), [client, id, transcriptionId])
  const lineEdits = useSyncExternalStore(queue.subscribe, queue.getShown)
  const state = useSyncExternalStore(queue.subscribe, queue.getState)

  useEffect(() => {
    // A change on its way is merged when it has arrived.
    queue.receive(stored)
  }, [queue, stored, state])

  useEffect(() => {
    const restart = () => queue.retry()
    const warn = (event: BeforeUnloadEvent) => {
      if (queue.hasUnsent) event.preventDefault()
    }
    queue.start()
    window.addEventListener('online', restart)
    window.addEventListener('beforeunload', warn)
    return () => {
      queue.stop()
      history.clear()
      window.removeEventListener('online', restart)
      window.removeEventListener('beforeunload', warn)
    }
  }, [queue, history])

  return { queue, lineEdits, state }
}

function createQueue(
  client: QueryClient,
  id: string,
  transcriptionId: string | null,
  lineEdits: LineEdits,
): LineEditQueue {
  const queryKey = ['recording', id]

  return new LineEditQueue({
    lineEdits,
    async send(changes, revision) {
      if (transcriptionId === null) throw new Error('There is no transcription to edit')
      const body = { transcription_id: transcriptionId, revision, changes }
      const answer = await call(editing.changeLines, { params: { id }, body })
      client.setQueryData<RecordingDetails>(queryKey, (details) =>
        details?.transcription?.transcription_id === transcriptionId && details.line_edits.revision < answer.revision
          ? { ...details, line_edits: answer }
          : details,
      )
      return answer
    },
    async load() {
      await client.refetchQueries({ queryKey }, { throwOnError: true })
      const details = client.getQueryData<RecordingDetails>(queryKey)
      if (details?.transcription?.transcription_id !== transcriptionId) throw anotherVersionError()
      return details.line_edits
    },
    unsent: transcriptionId === null ? null : readUnsentEdits(transcriptionId),
    keep: (unsent) => {
      if (transcriptionId !== null) keepUnsentEdits(transcriptionId, unsent)
    },
  })
}

function anotherVersionError(): ApiError {
  return new ApiError(
    'Another version of the transcript is current. Restore the one you edited to save your changes.',
    {
      status: 409,
    },
  )
}
