import type { StoreOptions, StoreProgress } from '#engine/models/store/store-options.ts'
import { withProgress } from './interruptible.ts'

const stages: Record<StoreProgress['stage'], string> = {
  download: 'Downloading (MB)',
  copy: 'Copying (MB)',
  unpack: 'Unpacking (MB)',
  convert: 'Converting (MB)',
  check: 'Checking (MB)',
}

/** Runs a command on models with a progress bar, until it ends or Ctrl-C cancels it. */
export async function withStoreProgress<Value>(work: (options: StoreOptions) => Promise<Value>): Promise<Value> {
  return withProgress(({ progress, signal }) => {
    let stage: StoreProgress['stage'] | undefined
    return work({
      signal,
      onProgress(now) {
        if (now.stage !== stage) progress.begin(stages[now.stage])
        stage = now.stage
        if (now.total) progress.update(megabytes(now.done), megabytes(now.total))
      },
    })
  })
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6)
}
