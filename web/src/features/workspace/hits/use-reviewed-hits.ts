import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import { editing } from '#contract/endpoints/editing.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../../shared/api/client.ts'
import { messageOf } from '../../../shared/api/api-error.ts'
import { toastError } from '../../../shared/toast.tsx'

const Review = z.object({ keys: z.array(z.string()), isReviewed: z.boolean() })
type Review = z.infer<typeof Review>

/** The maximum number of keys per request. */
const maxKeysPerRequest = 1_000
const noKeys: string[] = []

/** Returns the keys of a recording's reviewed hits, and a function to mark hits; a mark that the server rejects is removed again. */
export function useReviewedHits(recordingId: string) {
  const client = useQueryClient()
  const queryKey = ['reviewed-hits', recordingId]
  const params = { id: recordingId }
  const { data = noKeys } = useQuery({
    queryKey,
    queryFn: async () => {
      const { reviewed } = await call(editing.listReviewedHits, { params })
      // Reviews still being sent stay as shown.
      const pending = client.getMutationCache().findAll({ mutationKey: queryKey, status: 'pending' })
      return pending.map(({ state }) => Review.parse(state.variables)).reduce(applyReview, reviewed)
    },
  })

  const { mutate } = useMutation({
    mutationKey: queryKey,
    scope: { id: queryKey.join(' ') },
    networkMode: 'always',
    mutationFn: async ({ keys, isReviewed }: Review) => {
      for (let at = 0; at < keys.length; at += maxKeysPerRequest) {
        const hits = keys.slice(at, at + maxKeysPerRequest)
        await call(editing.reviewHit, { params, body: { hits, is_reviewed: isReviewed } })
      }
    },
    onMutate: (review) => {
      client.setQueryData<string[]>(queryKey, (before = noKeys) => applyReview(before, review))
    },
    onError: (error, { keys, isReviewed }) => {
      client.setQueryData<string[]>(queryKey, (now = noKeys) => applyReview(now, { keys, isReviewed: !isReviewed }))
      toastError(messageOf(error, t('The mark could not be saved. Check your connection and try again.')))
    },
  })

  const reviewed: ReadonlySet<string> = useMemo(() => new Set(data), [data])
  return { reviewed, mark: (keys: string[], isReviewed: boolean) => mutate({ keys, isReviewed }) }
}

function applyReview(before: string[], { keys, isReviewed }: Review): string[] {
  const changed = new Set(keys)
  const others = before.filter((key) => !changed.has(key))
  return isReviewed ? [...others, ...keys] : others
}
