import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { z } from 'zod'
import { review } from '#contract/endpoints/review.ts'
import { DoubtReason, MarkedLine, type LineMark } from '#contract/line-marks.ts'
import { markLines } from '#contract/mark-lines.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError, messageOf } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { displayName } from '../../../shared/format.ts'
import { unsentMarksPrefix } from '../../../shared/recordings/tab-data.ts'
import { createUnsentList } from '../../../shared/recordings/unsent-store.ts'
import { useUser } from '../../../shared/session/session.ts'
import { toastError } from '../../../shared/toast.tsx'
import { markListsOutdated } from './heard-outbox.ts'

/** A statement about lines, see MarkStatement. */
const Statement = z.object({
  lines: z.array(MarkedLine),
  isVerified: z.boolean().optional(),
  doubt: z.object({ isUncertain: z.boolean(), reason: DoubtReason }).nullable().optional(),
  by: z.object({ id: z.string(), name: z.string() }),
  at: z.string(),
})
type Statement = z.infer<typeof Statement>
/** Statements that earlier pages of this tab could not send, by recording. */
const unsentMarks = createUnsentList(unsentMarksPrefix, Statement)
export type LineStatement = Omit<Statement, 'by' | 'at'>

/** How long to wait before resending a statement while the server cannot be reached. */
const retryMs = 5_000
const noMarks: LineMark[] = []

export const lineMarksKey = (recordingId: string) => ['line-marks', recordingId]

/** Returns people's marks on the lines of a recording, including unsent ones. */
export function useLineMarks(recordingId: string): LineMark[] {
  const client = useQueryClient()
  const queryKey = lineMarksKey(recordingId)
  const { data = noMarks, isSuccess } = useQuery({
    queryKey,
    queryFn: async () => {
      const { marks } = await call(review.listMarks, { params: { id: recordingId } })
      return listPending(client, queryKey).reduce(markLines, marks)
    },
  })
  const { send, owner } = useSendMarks(recordingId)
  useEffect(() => {
    if (!isSuccess) return
    // This page's own statements are already being sent.
    const pending = new Set(listPending(client, lineMarksKey(owner.id)).map(toText))
    for (const statement of unsentMarks.list(owner)) if (!pending.has(toText(statement))) send(statement)
  }, [client, isSuccess, owner, send])
  return data
}

/**
 * Returns a function that makes a statement about lines. It is shown at once, resent while the server cannot be reached, and withdrawn if
 * the server refuses it. Statements still unsent when the page closes are sent by the next page of this tab.
 */
export function useMarkLines(recordingId: string): (statement: LineStatement) => void {
  const user = useUser()
  const { send, owner } = useSendMarks(recordingId)
  useLeaveWarning(owner.id)
  return (said) => {
    const statement = { ...said, by: { id: user.id, name: displayName(user) }, at: new Date().toISOString() }
    unsentMarks.update(owner, (kept) => [...kept, statement])
    send(statement)
  }
}

/** Returns a function that shows and sends statements, one at a time. */
function useSendMarks(recordingId: string) {
  const client = useQueryClient()
  const { id: userId } = useUser()
  const owner = useMemo(() => ({ userId, id: recordingId }), [userId, recordingId])
  const queryKey = useMemo(() => lineMarksKey(recordingId), [recordingId])
  const { mutate } = useMutation({
    mutationKey: queryKey,
    scope: { id: queryKey.join(' ') },
    networkMode: 'always',
    retry: (_, error) => isPassing(error),
    retryDelay: retryMs,
    mutationFn: async ({ lines, isVerified, doubt }: Statement) => {
      const body = {
        lines,
        ...(isVerified !== undefined && { is_verified: isVerified }),
        ...(doubt !== undefined && { doubt: doubt && { is_uncertain: doubt.isUncertain, reason: doubt.reason } }),
      }
      await call(review.markLines, { params: { id: recordingId }, body })
    },
    onMutate: (statement) => {
      client.setQueryData<LineMark[]>(queryKey, (before = noMarks) => markLines(before, statement))
    },
    onSuccess: () => markListsOutdated(client),
    onError: (error) => {
      toastError(messageOf(error, t('The mark could not be saved. Check your connection and try again.')))
      void client.invalidateQueries({ queryKey })
    },
    onSettled: (_, __, statement) => {
      unsentMarks.update(owner, (kept) => kept.filter((each) => toText(each) !== toText(statement)))
    },
  })
  return { send: mutate, owner }
}

/** Asks for confirmation before leaving the page with unsent statements. */
function useLeaveWarning(recordingId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (listPending(client, lineMarksKey(recordingId)).length > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [client, recordingId])
}

function listPending(client: QueryClient, mutationKey: string[]): Statement[] {
  const pending = client.getMutationCache().findAll({ mutationKey, status: 'pending' })
  return pending.map(({ state }) => Statement.parse(state.variables))
}

/** Identifies a statement: no two have the same lines, person and time. */
function toText({ lines, by, at }: Statement): string {
  return JSON.stringify([lines, by.id, at])
}

/** Returns whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
}
