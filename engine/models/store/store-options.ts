import type { Config } from '#data/config.ts'

/** The settings that commands on models work by. */
export type StoreConfig = Pick<
  Config,
  'modelsDir' | 'modelsMirror' | 'isOffline' | 'speechModel' | 'speechModelByLanguage' | 'translationModel'
> &
  Partial<Pick<Config, 'speechServers' | 'translationGpu'>>

/** How far a command on models is. */
export interface StoreProgress {
  stage: 'download' | 'copy' | 'unpack' | 'convert' | 'check'
  /** Bytes. */
  done: number
  /** Bytes; null while nobody knows. */
  total: number | null
}

export interface StoreOptions {
  signal?: AbortSignal
  onProgress?: (progress: StoreProgress) => void
}
