import type { z } from 'zod'
import { ModelOutcome, ModelProgress, ModelRequest, type ModelOperation } from '#contract/entities/model-operation.ts'
import type { ModelOperationRecord } from '#data/models/model-operations.ts'

export function presentOperation(operation: ModelOperationRecord): z.input<typeof ModelOperation> {
  const request = ModelRequest.safeParse(operation.request).data
  return {
    id: operation.id,
    kind: operation.kind,
    state: operation.state,
    model_id: request && 'model_id' in request ? request.model_id : null,
    import_name: request?.kind === 'import' ? request.import_name : null,
    language: (request && 'language' in request && request.language) || null,
    pair: (request && 'pair' in request && request.pair) || null,
    progress: ModelProgress.safeParse(operation.progress).data ?? null,
    outcome: ModelOutcome.safeParse(operation.outcome).data ?? null,
    error: operation.error,
    requested_by: operation.requestedBy,
    created_at: operation.createdAt.toISOString(),
    started_at: operation.startedAt?.toISOString() ?? null,
    finished_at: operation.finishedAt?.toISOString() ?? null,
  }
}
