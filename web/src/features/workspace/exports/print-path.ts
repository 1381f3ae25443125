import type { ExportOptions } from './export-options.ts'
import { exportQuery } from './use-export.ts'

/** Returns the address of a recording's print view. */
export function printPath(
  recordingId: string,
  { target, options }: { target: string | null; options: ExportOptions },
): string {
  const { target_language: language, ...choices } = exportQuery({ target, options })
  const search = new URLSearchParams({ recording: recordingId, ...(language && { target: language }), ...choices })
  return `/transcribe/print?${search.toString()}`
}
