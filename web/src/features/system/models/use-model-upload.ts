import { useQueryClient } from '@tanstack/react-query'
import { models } from '#contract/endpoints/models.ts'
import { t } from '#contract/texts/t.ts'
import { isSessionExpired, messageOf } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { atom, useAtom } from '../../../shared/jotai.ts'
import type { ModelFiles } from './model-files.ts'
import { uploadModel } from './upload-model.ts'
import type { OperationInput } from './use-models.ts'

export type ImportInput = Extract<OperationInput, { kind: 'import' }>

interface ModelUpload {
  name: string
  sizeBytes: number
  sentBytes: number
  /** Why it failed. */
  error?: string
  abortController: AbortController
}

/** Outlives the page: leaving it does not stop an upload. */
const uploadAtom = atom<ModelUpload | null>(null)

/** The running upload, and how to start one. What was uploaded is imported at once. One upload at a time. */
export function useModelUpload() {
  const client = useQueryClient()
  const [upload, setUpload] = useAtom(uploadAtom)

  async function start(files: ModelFiles, input: ImportInput): Promise<void> {
    const abortController = new AbortController()
    const { import_name: name } = input
    setUpload({ name, sizeBytes: files.sizeBytes, sentBytes: 0, abortController })
    try {
      const onProgress = (sentBytes: number) => setUpload((current) => current && { ...current, sentBytes })
      await uploadModel(name, files, { signal: abortController.signal, onProgress })
      await call(models.start, { body: input })
      setUpload(null)
    } catch (error) {
      if (abortController.signal.aborted || isSessionExpired(error)) setUpload(null)
      else
        setUpload(
          (current) => current && { ...current, error: messageOf(error, t('The connection to the server was lost.')) },
        )
    } finally {
      for (const queryKey of [['model-imports'], ['model-operations']]) await client.invalidateQueries({ queryKey })
    }
  }

  function dismiss() {
    upload?.abortController.abort()
    setUpload(null)
  }

  return { upload, start, dismiss }
}
