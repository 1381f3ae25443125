import { Button, RingProgress } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { useUser } from '../session/session.ts'
import { noteUnsentFiles } from './unsent-files.ts'
import { isUnfinished, useUploads, type UploadItem } from './uploads.ts'

const UnfinishedLink = lazy(() =>
  import('./unfinished-link.tsx').then((module) => ({ default: module.UnfinishedLink })),
)
/** How often other tabs are notified that uploads are in progress. */
const noteIntervalMs = 10_000

/** Links to the uploads from other pages while any are running or have failed, and warns before the app is left in that state. */
export function UploadStatus() {
  const { items } = useUploads()
  const { pathname } = useLocation()
  const unfinishedCount = items.filter(isUnfinished).length
  const failedCount = items.filter(({ status }) => status === 'error').length
  useLeaveWarning(unfinishedCount > 0)
  useNotes(items)
  if (pathname === '/upload') return null
  if (unfinishedCount + failedCount === 0) {
    return (
      <Suspense>
        <UnfinishedLink />
      </Suspense>
    )
  }
  const isFailed = unfinishedCount === 0
  const label = isFailed
    ? t('{failedCount, plural, one {# upload} other {# uploads}} failed', { failedCount })
    : t('Uploading {number, number} of {count, number}', {
        number: items.length - unfinishedCount + 1,
        count: items.length,
      })
  return (
    <Button
      component={Link}
      to="/upload"
      variant="subtle"
      size="sm"
      color={isFailed ? 'red' : 'accent'}
      leftSection={
        isFailed ? (
          <IconAlertTriangle size={16} stroke={1.5} />
        ) : (
          <RingProgress
            aria-hidden
            size={20}
            thickness={3}
            sections={[{ value: sentPercent(items), color: 'accent' }]}
          />
        )
      }
    >
      {label}
    </Button>
  )
}

/** Returns how much of all files has been sent or given up, by bytes. */
function sentPercent(items: UploadItem[]): number {
  const all = items.reduce((sum, { size }) => sum + size, 0)
  const sent = items.reduce((sum, { size, status, progress }) => sum + size * (status === 'error' ? 1 : progress), 0)
  return all > 0 ? (sent / all) * 100 : 0
}

/** Notes which files are not sent yet: if the tab is closed, they are listed on the next visit. */
function useNotes(items: UploadItem[]) {
  const { id: ownerId } = useUser()
  const unfinished = items.filter(isUnfinished)
  const note = useEffectEvent((at: number) => noteUnsentFiles(ownerId, unfinished, at))
  const key = unfinished.map(({ id }) => id).join()
  useEffect(() => {
    if (key === '') return
    note(Date.now())
    const timer = setInterval(() => note(Date.now()), noteIntervalMs)
    const onLeave = () => note(0)
    window.addEventListener('pagehide', onLeave)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pagehide', onLeave)
    }
  }, [key])
}

/** Makes the browser ask before the page is left: unsent files would have to be chosen again. */
function useLeaveWarning(isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
