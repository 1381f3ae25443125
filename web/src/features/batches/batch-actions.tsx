import { Button } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs'
import { useState } from 'react'
import type { LibrarySelection } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { BatchDialog } from './batch-dialog.tsx'
import { DownloadDialog } from './download-dialog.tsx'

interface BatchActionsProps {
  selection: LibrarySelection
  /** How many recordings are selected. */
  count: number
}

type Action = 'transcribe' | 'translate' | 'download'

const actions = [
  { action: 'transcribe', label: t('Transcribe…'), icon: IconFileText },
  { action: 'translate', label: t('Translate…'), icon: IconLanguage },
  { action: 'download', label: t('Download…'), icon: IconDownload },
] as const

/** Buttons that transcribe, translate and download what is selected. */
export function BatchActions({ selection, count }: BatchActionsProps) {
  const [open, setOpen] = useState<Action | null>(null)
  const close = () => setOpen(null)
  const shared = { selection, count, onClose: close }
  return (
    <>
      {actions.map(({ action, label, icon: Icon }) => (
        <Button
          key={action}
          variant="default"
          size="xs"
          leftSection={<Icon size={16} stroke={1.5} aria-hidden />}
          onClick={() => setOpen(action)}
        >
          {label}
        </Button>
      ))}
      <BatchDialog
        {...shared}
        isOpen={open === 'transcribe' || open === 'translate'}
        hasTranscription={open !== 'translate'}
        onStarted={close}
      />
      <DownloadDialog {...shared} isOpen={open === 'download'} />
    </>
  )
}
