import { Button } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { isUnfinished, useUploads } from './uploads.ts'

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
        isFailed ? <IconAlertTriangle size={16} stroke={1.5} /> : <IconUpload size={16} stroke={1.5} aria-hidden />
      }
    >
      {label}
    </Button>
  )
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
