import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { Page } from '../../shared/ui/page.tsx'
import { DropTarget } from '../../shared/uploads/drop-target.tsx'
import { useUploads } from '../../shared/uploads/uploads.ts'
import { UploadRow } from './upload-row.tsx'
import classes from './upload.module.css'

/** Uploads files; when the last has arrived the workspace opens (audio-workflow specification, section 2). */
export function UploadPage() {
  const uploads = useUploads()
  useOpenWhenDone(uploads.items)
  return (
    <Page
      title="Upload"
      width="narrow"
      lead="Left and right channel of a stereo recording are kept apart as two speakers."
    >
      <DropTarget onFiles={(files) => void uploads.add(files)} isLarge={uploads.items.length === 0} />
      {uploads.items.length > 0 && (
        <ul className={classes.list} aria-label="Files">
          {uploads.items.map((item) => (
            <UploadRow key={item.id} item={item} onRemove={() => uploads.remove(item.id)} />
          ))}
        </ul>
      )}
    </Page>
  )
}

/** Opens the workspace once no upload is left, unless a file failed and the user should see which. */
function useOpenWhenDone(items: ReturnType<typeof useUploads>['items']) {
  const navigate = useNavigate()
  const { clear } = useUploads()
  const wasBusy = useRef(false)
  const isBusy = items.some(({ status }) => status === 'waiting' || status === 'uploading')
  const hasFailed = items.some(({ status }) => status === 'error')
  const last = items.findLast(({ status }) => status === 'completed')

  useEffect(() => {
    if (isBusy) {
      wasBusy.current = true
      return
    }
    if (!wasBusy.current || hasFailed || !last?.backendId) return
    wasBusy.current = false
    clear()
    void navigate(`/transcribe?recording=${last.backendId}`)
  }, [isBusy, hasFailed, last?.backendId, clear, navigate])
}
