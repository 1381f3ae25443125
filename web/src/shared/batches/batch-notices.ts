import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { Batch } from '#contract/batches.ts'
import type { Job } from '#contract/entities/job.ts'
import { t } from '#contract/texts/t.ts'
import { toastAction } from '../action-toast.tsx'
import { readNotificationPermission } from '../browser-notifications.ts'
import { claimOnce } from '../claim-once.ts'
import { comma } from '../format.ts'
import { useSettings } from '../settings.ts'
import { toastInfo } from '../toast.tsx'
import { isOpen, useBatches } from './use-batches.ts'

/** As for single jobs: hidden tabs notify only if no tab is visible. */
const hiddenDelayMs = 1000
const libraryPath = '/dashboard'

/**
 * Notifies the user once per browser that a batch has ended, instead of for each of its jobs: with a toast in the visible tab, or with a
 * browser notification if all tabs are hidden.
 */
export function useBatchNotices(): void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { settings } = useSettings()
  const { data: batches } = useBatches()
  const openIds = useRef(new Set<string>())
  useFindNewBatches(batches)

  const tell = useEffectEvent(async (batch: Batch) => {
    const { transcriptionComplete, translationComplete, push } = settings.notifications
    const isWanted = (batch.transcribe !== null && transcriptionComplete) || translationComplete
    if (batch.state === 'cancelled' || !isWanted) return
    if (document.hidden) await new Promise((resolve) => setTimeout(resolve, hiddenDelayMs))
    if (!(await claimOnce(`batch-notice:${batch.id}:${batch.finished_at}`))) return
    const text = describeBatchEnd(batch)
    const open = () => void navigate(libraryPath)
    if (document.hidden) {
      if (push) showNotification(batch.id, text, open)
    } else if (pathname === libraryPath) toastInfo(text)
    else toastAction(text, { label: t('Library'), act: open })
  })

  useEffect(() => {
    for (const batch of batches ?? []) {
      if (isOpen(batch)) openIds.current.add(batch.id)
      else if (openIds.current.delete(batch.id)) void tell(batch)
    }
  }, [batches])
}

/** Detects batches started by another tab or program, from their first job. */
function useFindNewBatches(batches: Batch[] | undefined): void {
  const client = useQueryClient()
  const known = new Set(batches?.map(({ id }) => id))
  /** Batches already requested: each is requested only once, because an old batch may be in no list. */
  const asked = useRef(new Set<string>())
  const find = useEffectEvent((jobs: Job[]) => {
    if (batches === undefined) return
    const unknown = jobs.flatMap(({ batch_id: id }) => (id && !known.has(id) && !asked.current.has(id) ? [id] : []))
    for (const id of unknown) asked.current.add(id)
    if (unknown.length > 0) void client.invalidateQueries({ queryKey: ['batches'] })
  })
  useEffect(() => {
    return client.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' || query.queryKey[0] !== 'jobs') return
      find(Object.values(client.getQueryData<Record<string, Job>>(['jobs']) ?? {}))
    })
  }, [client])
}

/** `The batch of 30 recordings is finished: 28 done, 1 failed, 1 skipped.` */
function describeBatchEnd({ total, counts }: Batch): string {
  const facts = [
    counts.done > 0 && t('{count, number} done', { count: counts.done }),
    counts.failed > 0 && t('{count, number} failed', { count: counts.failed }),
    counts.skipped > 0 && t('{count, number} skipped', { count: counts.skipped }),
  ].filter((fact) => fact !== false)
  if (facts.length === 0)
    return t('The batch of {total, plural, one {# recording} other {# recordings}} is finished.', { total })
  return t('The batch of {total, plural, one {# recording} other {# recordings}} is finished: {facts}.', {
    total,
    facts: facts.join(comma),
  })
}

function showNotification(id: string, body: string, open: () => void): void {
  if (readNotificationPermission() !== 'granted') return
  const notification = new Notification('Awaz', { body, tag: id })
  notification.addEventListener('click', () => {
    window.focus()
    open()
    notification.close()
  })
}
