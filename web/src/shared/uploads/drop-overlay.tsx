import { Stack, Text } from '@mantine/core'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { toastInfo } from '../toast.tsx'
import classes from './drop-overlay.module.css'
import { describeLimit, useMaxUploadBytes } from './max-upload-bytes.ts'
import { useUploads } from './uploads.ts'

/** Returns the dropped files. Folders are left out: browsers would read everything in them. */
function readDroppedFiles(transfer: DataTransfer): { files: File[]; folderCount: number } {
  const entries = [...transfer.items].filter(({ kind }) => kind === 'file')
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry?.()?.isDirectory === true
  const files = entries.filter((item) => !isFolder(item)).flatMap((item) => item.getAsFile() ?? [])
  return { files, folderCount: entries.filter(isFolder).length }
}

/** Whether files are being dragged, rather than text or a link. */
function holdsFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer !== null && [...transfer.types].includes('Files')
}

/** Accepts recordings dropped anywhere on the page, and indicates that while files are dragged over it. */
export function DropOverlay() {
  const [isOver, setIsOver] = useState(false)
  const { add } = useUploads()
  const limit = describeLimit(useMaxUploadBytes())
  const navigate = useNavigate()

  const onDrop = useEffectEvent((transfer: DataTransfer) => {
    const { files, folderCount } = readDroppedFiles(transfer)
    if (folderCount > 0) toastInfo(t('Folders are not uploaded. Open the folder and drop the recordings in it.'))
    if (files.length > 0 && add(files) > 0) void navigate('/upload')
  })

  useEffect(() => {
    // The event for entering an element fires before the one for leaving its parent.
    let depth = 0
    function handle(event: DragEvent) {
      const { type, dataTransfer } = event
      if (!holdsFiles(dataTransfer)) return
      event.preventDefault()
      if (type === 'dragover') dataTransfer.dropEffect = 'copy'
      if (type === 'dragenter') depth += 1
      if (type === 'dragleave') depth = Math.max(0, depth - 1)
      if (type === 'drop') {
        depth = 0
        onDrop(dataTransfer)
      }
      setIsOver(depth > 0)
    }
    const types = ['dragenter', 'dragover', 'dragleave', 'drop'] as const
    for (const type of types) window.addEventListener(type, handle)
    return () => {
      for (const type of types) window.removeEventListener(type, handle)
    }
  }, [])

  if (!isOver) return null
  return (
    <div className={classes.overlay}>
      <Stack
        gap="sm"
        align="center"
        justify="center"
        h="100%"
        p="md"
        bd="2px solid var(--awaz-accent)"
        bdrs="xl"
        c="var(--awaz-accent-ink)"
        bg="var(--awaz-accent-soft)"
        ta="center"
      >
        <IconUpload size={40} stroke={1.5} aria-hidden />
        <Text fw={620} fz="xl">
          {t('Drop recordings here')}
        </Text>
        <Text c="dimmed">{t('Supports MP3, WAV, M4A, FLAC, OGG, MP4, and WEBM, up to {limit}', { limit })}</Text>
      </Stack>
    </div>
  )
}
