import { z } from 'zod'
import { audio } from '#contract/endpoints/audio.ts'
import type { UploadResult } from '#contract/entities/recording.ts'
import { fillPath } from '../api/client.ts'
import { apiUrl } from '../api/origin.ts'
import { uploadedFileKey } from './tab-data.ts'

/** What session storage keeps of the current recording (audio-workflow specification, section 3). */
const UploadedFile = z.object({
  name: z.string(),
  size: z.number(),
  url: z.string(),
  backendId: z.string().min(1),
  is_stereo: z.boolean(),
})
type UploadedFile = z.infer<typeof UploadedFile>

/** The recording this tab works on, or undefined when there is none or it cannot be read. */
export function readUploadedFile(): UploadedFile | undefined {
  try {
    return UploadedFile.safeParse(JSON.parse(sessionStorage.getItem(uploadedFileKey) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** Makes a recording the one this tab works on. */
export function keepUploadedFile(file: Pick<UploadResult, 'name' | 'size' | 'is_stereo'> & { id: string }): void {
  const record: UploadedFile = {
    name: file.name,
    size: file.size,
    url: audioAddress(file.id),
    backendId: file.id,
    is_stereo: file.is_stereo,
  }
  sessionStorage.setItem(uploadedFileKey, JSON.stringify(record))
}

/** Where a recording's audio is played from. */
export function audioAddress(id: string): string {
  return apiUrl(fillPath(audio.play.path, { id }))
}
