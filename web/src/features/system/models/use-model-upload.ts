import { useQueryClient } from '@tanstack/react-query'
import { models } from '#contract/endpoints/models.ts'
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
  /** Why it ended, where it did not end well. */
  error?: string
  stop: AbortController
}

/** Outlives the page: leaving it does not stop an upload. */
const uploadAtom = atom<ModelUpload | null>(null)

/** The upload under way and how to begin one, which is imported as soon as it is there. One at a time. */
export function useModelUpload() {
  const client = useQueryClient()
  const [upload, setUpload] = useAtom(uploadAtom)

  async function begin(files: ModelFiles, wish: ImportInput): Promise<void> {
    const stop = new AbortController()
    const { import_name: name } = wish
    setUpload({ name, sizeBytes: files.sizeBytes, sentBytes: 0, stop })
    try {
      const onProgress = (sentBytes: number) => setUpload((current) => current && { ...current, sentBytes })
      await uploadModel(name, files, { signal: stop.signal, onProgress })
      await call(models.start, { body: wish })
      setUpload(null)
    } catch (error) {
      if (stop.signal.aborted || isSessionExpired(error)) setUpload(null)
      else
        setUpload(
          (current) => current && { ...current, error: messageOf(error, 'The connection to the server was lost.') },
        )
    } finally {
      for (const queryKey of [['model-imports'], ['model-operations']]) await client.invalidateQueries({ queryKey })
    }
  }

  function dismiss() {
    upload?.stop.abort()
    setUpload(null)
  }

  return { upload, begin, dismiss }
}
