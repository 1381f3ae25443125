import { diskFullError } from '#data/audio-store/upload-errors.ts'
import { trimTexts } from '#data/jobs/text-limit.ts'
import { saveSource, type TranslationSource } from '#data/jobs/translation-source.ts'
import type { JobsDeps } from './deps.ts'

/**
 * Stores a text to be translated and returns its id. A text that belongs to a recording counts against the user's quota; of other texts,
 * only the newest are kept (docs/decisions/stored-bytes.md). Throws `disk_full` when the quota or the disk has no room.
 */
export async function saveText(
  { queue, quota, audioStore }: Pick<JobsDeps, 'queue' | 'quota' | 'audioStore'>,
  owner: { ownerId: string; recordingId: string | null },
  source: TranslationSource,
): Promise<string> {
  const sizeBytes = Buffer.byteLength(JSON.stringify(source))
  if ((await audioStore.freeBytes()) < sizeBytes) throw diskFullError({ what: 'text' })
  if (!owner.recordingId) {
    const id = await saveSource(queue, owner, source)
    await trimTexts(queue, owner.ownerId)
    return id
  }
  const share = await quota.reserve(owner.ownerId, sizeBytes)
  try {
    return await share.settle(() => saveSource(queue, owner, source))
  } finally {
    await share.release()
  }
}
