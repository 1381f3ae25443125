import { useMutation } from '@tanstack/react-query'
import { t } from '#contract/texts/t.ts'
import { isAborted, messageWithHelp } from '../../shared/api/api-error.ts'
import { downloadFile } from '../../shared/download.ts'
import { toastLoading } from '../../shared/toast.tsx'

interface CsvDownload {
  fileName: string
  load: () => Promise<Blob>
  success: string
}

/** Downloads a file from the server and shows the progress and outcome in one toast. */
export function useCsvDownload() {
  return useMutation({
    async mutationFn({ fileName, load, success }: CsvDownload) {
      const toast = toastLoading(t('Preparing the file…'))
      try {
        downloadFile(fileName, await load())
        toast.succeed(success)
      } catch (error) {
        if (isAborted(error)) toast.dismiss()
        else toast.fail(messageWithHelp(error, t('Network error. Please try again.')))
      }
    },
  })
}
