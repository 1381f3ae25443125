import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { editing } from '#contract/endpoints/editing.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { LineEdits } from '#contract/line-edits.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { countSignOuts } from '../../../shared/recordings/tab-data.ts'
import { sessionQuery } from '../../../shared/session/session.ts'
import type { EditHistory } from '../state/edit-history.ts'
import { LineEditQueue } from './line-edit-queue.ts'
import { unsentEdits } from './unsent-edits.ts'

/** Returns the queue of changes to a recording's current transcription, the edits to show, and whether they are saved. */
export function useEditQueue(recording: RecordingDetails, history: EditHistory) {
  const client = useQueryClient()
  const transcriptionId = recording.transcription?.transcription_id ?? null
  const { id, line_edits: stored } = recording
  // Another version has different lines; unsent changes to the previous one stay in its queue.
  // oxlint-disable-next-line react/exhaustive-deps -- edits that come later are received below
  const queue = useMemo(() => openQueue(client, id, transcriptionId, stored), [client, id, transcriptionId])
  const lineEdits = useSyncExternalStore(queue.subscribe, queue.getShown)
  const state = useSyncExternalStore(queue.subscribe, queue.getState)

  useEffect(() => {
    // Edits are ignored while a change is being sent; they are received when that is done.
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
      history.clear()
      window.removeEventListener('online', restart)
      window.removeEventListener('beforeunload', warn)
    }
  }, [queue, history])

  return { queue, lineEdits, state }
}

/** The queues of a page, which keep sending after their recording closes. Two for the same lines would overwrite each other's storage. */
const queues = new WeakMap<QueryClient, Map<string, LineEditQueue>>()

/** Returns the queue of a transcription that still has unsent changes, or a new one. */
function openQueue(
  client: QueryClient,
  id: string,
  transcriptionId: string | null,
  lineEdits: LineEdits,
): LineEditQueue {
  const key = JSON.stringify([countSignOuts(), transcriptionId])
  const known = queues.get(client) ?? new Map<string, LineEditQueue>()
  queues.set(client, known)
  const unfinished = known.get(key)
  if (unfinished?.hasUnsent) return unfinished
  const queue = createQueue(client, id, transcriptionId, lineEdits)
  known.set(key, queue)
  return queue
}

function createQueue(
  client: QueryClient,
  id: string,
  transcriptionId: string | null,
  lineEdits: LineEdits,
): LineEditQueue {
  const queryKey = ['recording', id]
  const readUserId = () => client.getQueryData(sessionQuery.queryKey)?.id
  const userId = readUserId()
  const signOuts = countSignOuts()
  const edited = transcriptionId !== null && userId !== undefined ? { userId, id: transcriptionId } : null

  return new LineEditQueue({
    lineEdits,
    async send(changes, revision) {
      if (transcriptionId === null) throw new Error('There is no transcription to edit')
      if (readUserId() !== userId) throw new ApiError(t('Sign in again to save your changes.'), { status: 401 })
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
    unsent: edited && unsentEdits.read(edited),
    keep: (unsent) => {
      // A line that is open at sign-out is saved as it closes, and a request may fail after sign-out.
      if (edited && countSignOuts() === signOuts) unsentEdits.keep(edited, unsent)
    },
  })
}

function anotherVersionError(): ApiError {
  return new ApiError(
    t('Another version of the transcript is current. Restore the one you edited to save your changes.'),
    {
      status: 409,
    },
  )
}
