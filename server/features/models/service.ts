import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { ModelRequest } from '#contract/entities/model-operation.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { readModelLists } from '#data/models/model-lists.ts'
import { reconcileModelOperations } from '#data/models/model-operation-lease.ts'
import {
  cancelModelOperation,
  enqueueModelOperation,
  listModelOperations,
  type ModelOperationRecord,
} from '#data/models/model-operations.ts'
import type { AuthUser, RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'
import { openImportFolder } from './import-folder.ts'
import { assertCanStart } from './policy.ts'
import { openModelUploads } from './uploads.ts'

interface ModelsDeps {
  connection: DatabaseConnection
  modelsDir: string
  /** Whether transcription servers handle all speech, so that no local model transcribes. */
  isSpeechRemote: boolean
  audit: Audit
  log: Logger
}

interface Acting {
  user: AuthUser
  origin: RequestOrigin
}

export type ModelService = ReturnType<typeof createModels>

/** Creates the actions of super admins on models. Every action is audited when it is requested. */
export function createModels({ connection, modelsDir, isSpeechRemote, audit, log }: ModelsDeps) {
  const imports = openImportFolder(modelsDir)
  const uploads = openModelUploads(imports)

  async function record({ user, origin }: Acting, entry: { action: string; target: string; details?: string }) {
    await audit.record({ ...entry, outcome: 'success', actor: user }, origin)
  }

  async function start(acting: Acting, request: ModelRequest): Promise<ModelOperationRecord> {
    await assertPossible(request)
    const operation = await enqueueModelOperation(connection, { request, requestedBy: acting.user.email })
    const target = targetOf(request)
    if (!operation) throw new AppError('conflict', `Something else is being done with ${target}. Wait, or cancel it.`)
    await record(acting, { action: `models.${request.kind}`, target, details: detailsOf(request) })
    return operation
  }

  async function assertPossible(request: ModelRequest): Promise<void> {
    const { models } = await readModelLists(connection)
    if (!models) {
      throw new AppError('conflict', 'No engine is running, so nothing can be done with models now.', {
        help: 'The log of the engine says why it does not start.',
      })
    }
    if (request.kind === 'import') return void (await imports.read(request.import_name))
    assertCanStart(models, request)
    const isSpeech = models.some(({ id, kind }) => id === request.model_id && kind === 'speech')
    if (request.kind === 'use' && isSpeech && isSpeechRemote) {
      throw new AppError('conflict', 'SPEECH_SERVERS is set: speech goes to transcription servers, not to models here.')
    }
  }

  async function cancel(acting: Acting, id: string): Promise<ModelOperationRecord> {
    const operation = await cancelModelOperation(connection, id)
    if (!operation) throw new AppError('not_found', 'There is no such operation.')
    await record(acting, { action: 'models.cancel', target: operation.kind })
    return operation
  }

  /** Returns the newest operations, after those of dead engines have been ended or requeued. */
  async function listOperations(): Promise<ModelOperationRecord[]> {
    await reconcileModelOperations(connection)
    return listModelOperations(connection)
  }

  /** Never rejects. */
  async function removeAbandonedUploads(): Promise<void> {
    await uploads
      .removeAbandoned()
      .catch((err: unknown) => log.warn({ err }, 'abandoned uploads of models could not be removed'))
  }

  return {
    imports,
    uploads,
    record,
    start,
    cancel,
    listOperations,
    removeAbandonedUploads,
    list: () => readModelLists(connection),
  }
}

function targetOf(request: ModelRequest): string {
  return request.kind === 'import' ? request.import_name : request.model_id
}

function detailsOf(request: ModelRequest): string {
  if (request.kind !== 'use' && request.kind !== 'clear') return ''
  if (request.language) return `language ${request.language}`
  return request.pair ? `pair ${request.pair}` : 'for everything'
}
