import type { Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { trimTexts } from '#data/jobs/text-limit.ts'
import { saveSource, type TranslationSource } from '#data/jobs/translation-source.ts'
import type { WorkServices } from '../work/services.ts'

/**
 * Stores a text to be translated. What belongs to a recording counts against the user's quota; of other texts the newest are kept
 * (docs/decisions/stored-bytes.md). Throws `disk_full` when the quota or the disk has no room.
 */
export async function saveText(
  { queue, quota, audioStore }: Pick<WorkServices, 'queue' | 'quota' | 'audioStore'>,
  owner: { ownerId: Types.ObjectId; recordingId: Types.ObjectId | null },
  source: TranslationSource,
): Promise<Types.ObjectId> {
  const sizeBytes = Buffer.byteLength(JSON.stringify(source))
  if ((await audioStore.freeBytes()) < sizeBytes) {
    throw new AppError('disk_full', 'The server has no room left for this text', {
      help: 'Tell your administrator that the disk is full.',
    })
  }
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
