import type { z } from 'zod'
import { api } from '#contract/api.ts'
import { maxUploadPartBytes } from '#contract/endpoints/models.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { ModelOutcome, ModelProgress, ModelRequest, type ModelOperation } from '#contract/entities/model-operation.ts'
import type { ModelOperationRecord } from '#data/models/model-operations.ts'
import type { ModelService } from './service.ts'

/** Mounts the endpoints of the System → Models page. */
export function mountModels(router: AppRouter, { models }: { models: ModelService }): void {
  const { imports, uploads } = models

  route(router, api.models.list, async () => models.list())

  route(router, api.models.operations, async () => ({
    operations: (await models.listOperations()).map(presentOperation),
  }))

  route(router, api.models.start, async ({ body, ...acting }) => ({
    operation: presentOperation(await models.start(acting, body)),
  }))

  route(router, api.models.cancel, async ({ params, ...acting }) => ({
    operation: presentOperation(await models.cancel(acting, params.id)),
  }))

  route(router, api.models.imports, async () => {
    await models.removeAbandonedUploads()
    const problem = await imports.findProblem()
    return {
      folder: imports.path,
      imports: await imports.list(),
      free_bytes: await imports.freeBytes(),
      problem: problem ? `Nothing can be written to ${imports.path}: ${problem}.` : null,
    }
  })

  route(router, api.models.removeImport, async ({ params, ...acting }) => {
    await imports.remove(params.name)
    await models.record(acting, { action: 'models.remove_import', target: params.name })
    return { message: `${params.name} deleted` }
  })

  route(router, api.models.beginUpload, async ({ body, ...acting }) => {
    await models.removeAbandonedUploads()
    const id = await uploads.begin(body)
    await models.record(acting, { action: 'models.upload', target: body.name })
    return { upload_id: id, part_bytes: maxUploadPartBytes }
  })

  route(router, api.models.sendPart, async ({ params, query, ctx }) => ({
    received_bytes: await uploads.receivePart({ id: params.id, ...query }, ctx.req),
  }))

  route(router, api.models.finishUpload, async ({ params }) => ({ import: await uploads.finish(params.id) }))

  route(router, api.models.abandonUpload, async ({ params }) => {
    const name = await uploads.abandon(params.id)
    return { message: `The upload of ${name} was given up` }
  })
}

function presentOperation(operation: ModelOperationRecord): z.input<typeof ModelOperation> {
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
