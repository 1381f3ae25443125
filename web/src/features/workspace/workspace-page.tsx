import { Button } from '@mantine/core'
import IconFileOff from '@tabler/icons-react/dist/esm/icons/IconFileOff.mjs'
import { useDeferredValue, useEffect } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router-dom'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { useRecording } from '../../shared/recordings/recordings.ts'
import { keepUploadedFile, readUploadedFile } from '../../shared/recordings/uploaded-file.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { DeskScreen } from './desk/desk.tsx'

/** The recording in the address, otherwise the last one in this tab; redirects to the upload page if there is neither. */
export function WorkspacePage() {
  const [search] = useSearchParams()
  const id = search.get('recording') ?? readUploadedFile()?.backendId
  if (!id) return <Navigate to="/upload" replace />
  return <LoadedWorkspace key={id} id={id} />
}

function LoadedWorkspace({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useRecording(id)
  useRememberRecording(data)
  // The desk of a long call is rendered in slices, so that the page stays responsive.
  const canShowDesk = useDeferredValue(data !== undefined, false)
  // Must come first: a recording deleted elsewhere is still in the cache.
  if (error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_input'))
    return <NotFoundNotice />
  if (data && canShowDesk) return <DeskScreen recording={data} />
  if (isPending || data) return <LoadingNotice label={t('Loading the recording')} />
  return <ErrorNotice message={t('The recording could not be loaded.')} onRetry={() => void refetch()} />
}

/** Remembers the recording for a reload without the parameter in the address. */
function useRememberRecording(recording: RecordingDetails | undefined) {
  useEffect(() => {
    if (recording) keepUploadedFile(recording)
  }, [recording])
}

function NotFoundNotice() {
  return (
    <Notice
      title={t('This recording is not here')}
      icon={<IconFileOff size={22} stroke={1.5} />}
      action={
        <Button component={Link} to="/upload">
          {t('Upload a recording')}
        </Button>
      }
    >
      {t('It was deleted, or it belongs to somebody else.')}
    </Notice>
  )
}
