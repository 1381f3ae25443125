import type { StoreOptions, StoreProgress } from '#engine/models/store/store-options.ts'
import { createProgress } from './progress.ts'

const stages: Record<StoreProgress['stage'], string> = {
  download: 'Downloading (MB)',
  copy: 'Copying (MB)',
  unpack: 'Unpacking (MB)',
  convert: 'Converting (MB)',
  check: 'Checking (MB)',
}

/** Runs a command on models with a bar, until it is done or Ctrl-C cancels it. */
export async function withStoreProgress<Value>(work: (options: StoreOptions) => Promise<Value>): Promise<Value> {
  const progress = createProgress({ stream: process.stderr })
  const cancel = new AbortController()
  const onInterrupt = () => cancel.abort()
  let stage: StoreProgress['stage'] | undefined
  process.once('SIGINT', onInterrupt)
  try {
    return await work({
      signal: cancel.signal,
      onProgress(now) {
        if (now.stage !== stage) progress.begin(stages[now.stage])
        stage = now.stage
        if (now.total) progress.update(megabytes(now.done), megabytes(now.total))
      },
    })
  } finally {
    process.off('SIGINT', onInterrupt)
    progress.end()
  }
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6)
}
