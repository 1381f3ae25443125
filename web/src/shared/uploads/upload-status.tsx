import { Button, RingProgress } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { isUnfinished, useUploads, type UploadItem } from './uploads.ts'

/** Leads to the uploads from other pages while some run or have failed, and warns before the page is left meanwhile. */
export function UploadStatus() {
  const { items } = useUploads()
  const { pathname } = useLocation()
  const unfinishedCount = items.filter(isUnfinished).length
  const failedCount = items.filter(({ status }) => status === 'error').length
  useLeaveWarning(unfinishedCount > 0)
  if (pathname === '/upload' || unfinishedCount + failedCount === 0) return null
  const isFailed = unfinishedCount === 0
  const label = isFailed
    ? `${failedCount} ${failedCount === 1 ? 'upload' : 'uploads'} failed`
    : `Uploading ${items.length - unfinishedCount + 1} of ${items.length}`
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

/** How much of all files is sent or given up, by bytes. */
function sentPercent(items: UploadItem[]): number {
  const all = items.reduce((sum, { size }) => sum + size, 0)
  const sent = items.reduce((sum, { size, status, progress }) => sum + size * (status === 'error' ? 1 : progress), 0)
  return all > 0 ? (sent / all) * 100 : 0
}

/** The browser asks before the page is left: files that are not sent would have to be chosen again. */
function useLeaveWarning(isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
