import { Button } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { StorageUse } from '../../shared/storage/storage-use.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { DropTarget } from '../../shared/uploads/drop-target.tsx'
import { isUnfinished, useUploads, type UploadItem } from '../../shared/uploads/uploads.ts'
import { UnfinishedUploads } from './unfinished-uploads.tsx'
import { UploadRow } from './upload-row.tsx'
import classes from './upload.module.css'

/** Uploads files; the workspace opens when a single one has arrived (audio-workflow specification, section 2). */
export function UploadPage() {
  const uploads = useUploads()
  useOpenWhenDone(uploads.items)
  const failed = uploads.items.filter(({ status }) => status === 'error')
  return (
    <Page
      title={t('Upload')}
      width="narrow"
      lead={t('Left and right channel of a stereo recording are kept apart as two speakers.')}
    >
      <UnfinishedUploads />
      <DropTarget onFiles={uploads.add} isLarge={uploads.items.length === 0} />
      {failed.length > 1 && (
        <Button
          mt="md"
          variant="default"
          leftSection={<IconRefresh size={16} stroke={1.5} />}
          onClick={() => uploads.retry(failed)}
        >
          {t('Retry all failed')}
        </Button>
      )}
      {uploads.items.length > 0 && (
        <ul className={classes.list} aria-label={t('Files')}>
          {uploads.items.map((item) => (
            <UploadRow
              key={item.id}
              item={item}
              onRetry={() => uploads.retry([item])}
              onRemove={() => uploads.remove(item.id)}
              onKeep={() => uploads.keep(item.id)}
              onDiscard={() => uploads.discard(item)}
            />
          ))}
        </ul>
      )}
      <StorageUse />
    </Page>
  )
}

/** Opens the workspace once the only file has arrived, unless it is a duplicate; several files have links in the list instead. */
function useOpenWhenDone(items: UploadItem[]) {
  const navigate = useNavigate()
  const { clear } = useUploads()
  const wasBusy = useRef(false)
  const isBusy = items.some(isUnfinished)
  const [only, ...others] = items
  const openedId = others.length === 0 && !only?.duplicateOf ? only?.backendId : undefined

  useEffect(() => {
    if (isBusy) {
      wasBusy.current = true
      return
    }
    if (!wasBusy.current || !openedId) return
    wasBusy.current = false
    clear()
    void navigate(`/transcribe?recording=${openedId}`)
  }, [isBusy, openedId, clear, navigate])
}
