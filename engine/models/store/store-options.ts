import type { Config } from '#data/config.ts'

/** The settings that model commands use. */
export type StoreConfig = Pick<
  Config,
  'modelsDir' | 'modelsMirror' | 'isOffline' | 'speechModel' | 'speechModelByLanguage' | 'translationModel'
> &
  Partial<Pick<Config, 'speechServers' | 'translationGpu'>>

/** The progress of a model command. */
export interface StoreProgress {
  stage: 'download' | 'copy' | 'unpack' | 'convert' | 'check'
  /** In bytes. */
  done: number
  /** In bytes; null while unknown. */
  total: number | null
}

export interface StoreOptions {
  signal?: AbortSignal
  onProgress?: (progress: StoreProgress) => void
}
