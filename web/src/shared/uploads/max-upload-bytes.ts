import { defaultMaxUploadBytes } from '#contract/entities/recording.ts'
import { useServerConfig } from '../config.ts'

/** Returns the maximum size of a recording in bytes: the specification's, until the server's is known. */
export function useMaxUploadBytes(): number {
  return useServerConfig()?.max_upload_bytes ?? defaultMaxUploadBytes
}

/** Returns a human-readable size: `100MB`, `1.5GB`. */
export function describeLimit(bytes: number): string {
  const megabytes = bytes / 1024 ** 2
  return megabytes < 1024 ? `${Math.floor(megabytes)}MB` : `${Math.floor((megabytes / 1024) * 10) / 10}GB`
}
