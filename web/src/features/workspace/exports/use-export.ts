import { useMutation } from '@tanstack/react-query'
import { recordings } from '#contract/endpoints/recordings.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { t } from '#contract/texts/t.ts'
import { transcriptExtensions, type TranscriptFormat } from '#contract/transcript-formats.ts'
import { isAborted, isSessionExpired, messageWithHelp } from '../../../shared/api/api-error.ts'
import { callForFile } from '../../../shared/api/client.ts'
import { baseName, downloadFile } from '../../../shared/download.ts'
import { toastError, toastLoading } from '../../../shared/toast.tsx'
import type { ExportOptions } from './export-options.ts'

/** If a file takes longer than this, a toast says that it is being written. */
const announceAfterMs = 700

/** What an export contains. */
export interface ExportContent {
  /** The language of the translation to include; null for none. */
  target: string | null
  options: ExportOptions
  /** The id of the report template whose texts surround the transcript. */
  template?: string
}

/** Returns the query of an export: what the file contains. */
export function exportQuery({ target, options, template }: ExportContent) {
  return {
    doubt: options.doubt,
    ...(target !== null && { target_language: target }),
    ...(!options.hasNotes && { notes: 'false' }),
    ...(!options.hasHits && { hits: 'false' }),
    ...(!options.hasFacts && { facts: 'false' }),
    ...(template !== undefined && { template }),
  }
}

/** Downloads a transcript as a file; a failure shows a toast. */
export function useExport(recording: RecordingDetails) {
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: ({ format, ...content }: ExportContent & { format: TranscriptFormat }) =>
      announceLongWork(async () => {
        const query = { format, ...exportQuery(content) }
        const file = await callForFile(recordings.export, { params: { id: recording.id }, query })
        const { target } = content
        const name = `${baseName(recording.name)}${target === null ? '' : `-${target}`}`
        downloadFile(`${name}.${transcriptExtensions[format]}`, file)
      }),
  })
  return { download: mutate, isDownloading: isPending }
}

/** Shows a toast if work takes long, and another if it fails. */
async function announceLongWork(work: () => Promise<void>): Promise<void> {
  let toast: ReturnType<typeof toastLoading> | undefined
  const timer = setTimeout(() => (toast = toastLoading(t('Writing the file…'))), announceAfterMs)
  try {
    await work()
    toast?.succeed(t('The file is ready'))
  } catch (error) {
    if (isAborted(error)) {
      toast?.dismiss()
      return
    }
    const message = messageWithHelp(error, t('Network error. Please try again.'))
    if (toast) toast.fail(message)
    else if (!isSessionExpired(error)) toastError(message)
  } finally {
    clearTimeout(timer)
  }
}
