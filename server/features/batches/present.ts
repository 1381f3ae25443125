import type { z } from 'zod'
import type { Batch, BatchItem } from '#contract/batches.ts'
import type { BatchItemRecord } from '#data/batches/batch-items.ts'
import type { BatchRecord } from '#data/batches/batches.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'

export function presentBatch(batch: BatchRecord): z.input<typeof Batch> {
  const { transcribe, state } = batch
  const [left, right] = transcribe?.channelLanguages ?? []
  return {
    id: batch.id,
    state: state === 'preparing' ? 'running' : state,
    transcribe: transcribe && {
      language: transcribe.language,
      channel_languages: left && right ? [left, right] : null,
      model: transcribe.model,
      names: transcribe.names,
      speaker_count: transcribe.speakerCount,
      split_voices: transcribe.splitVoices,
    },
    target_languages: batch.targetLanguages,
    redo: batch.redo,
    total: batch.total,
    counts: batch.counts,
    created_at: batch.createdAt.toISOString(),
    finished_at: batch.finishedAt?.toISOString() ?? null,
  }
}

export function presentItem(
  item: BatchItemRecord,
  recordings: Map<string, RecordingRecord>,
): z.input<typeof BatchItem> {
  const { recordingId, state, reason } = item
  return { recording_id: recordingId, name: recordings.get(recordingId)?.name ?? null, state, reason }
}
