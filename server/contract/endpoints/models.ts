import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Model } from '../entities/model.ts'
import { ImportName, ModelImport, ModelOperation, ModelRequest, UploadFile } from '../entities/model-operation.ts'
import { Id, IdParams, Message } from '../scalars.ts'

/** The maximum size of one part of an upload: 64 MiB, below the 100 MB that reverse proxies commonly accept. */
export const maxUploadPartBytes = 64 * 1024 * 1024

const OperationResponse = z.object({ operation: ModelOperation })

/** The models of this installation. Engines publish them and run operations on them; the server stores operations and their outcomes. */
export const models = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/models',
    access: 'super_admin',
    summary: 'The models that engines know: installed and available ones, with their uses and problems',
    response: z.object({
      /** Null until an engine has published its list. */
      models: z.array(Model).nullable(),
      /** Problems with the catalogues, such as invalid entries, one sentence each. */
      problems: z.array(z.string()),
      /** The number of running engines. */
      engines: z.int().nonnegative(),
    }),
    errors: [],
  }),
  operations: endpoint({
    method: 'GET',
    path: '/api/admin/models/operations',
    access: 'super_admin',
    summary: 'The last 50 operations on models, newest first',
    response: z.object({ operations: z.array(ModelOperation) }),
    errors: [],
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/admin/models/operations',
    access: 'super_admin',
    summary: 'Download, import, try, use or remove a model; an engine runs the operation. Audited',
    body: ModelRequest,
    response: OperationResponse,
    status: 202,
    errors: ['not_found', 'conflict'],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/admin/models/operations/:id',
    access: 'super_admin',
    summary: 'Cancel an operation; an ended one is returned unchanged. Audited',
    params: IdParams,
    response: OperationResponse,
    errors: ['not_found'],
  }),
  imports: endpoint({
    method: 'GET',
    path: '/api/admin/models/imports',
    access: 'super_admin',
    summary: 'The contents of MODELS_DIR/import, and the free space there',
    response: z.object({
      folder: z.string(),
      imports: z.array(ModelImport),
      free_bytes: z.int().nonnegative(),
      /** Why nothing can be uploaded; null when it can. */
      problem: z.string().nullable(),
    }),
    errors: [],
  }),
  removeImport: endpoint({
    method: 'DELETE',
    path: '/api/admin/models/imports/:name',
    access: 'super_admin',
    summary: 'Delete a file or folder of MODELS_DIR/import that was uploaded. Audited',
    params: z.object({ name: ImportName }),
    response: Message,
    errors: ['not_found', 'conflict'],
  }),
  beginUpload: endpoint({
    method: 'POST',
    path: '/api/admin/models/uploads',
    access: 'super_admin',
    summary:
      'Begin an upload by naming the files of the model. They appear in MODELS_DIR/import once all are complete. Audited',
    body: z.object({ name: ImportName, files: z.array(UploadFile).min(1, 'There is no file').max(200) }),
    response: z.object({ upload_id: Id, part_bytes: z.int().positive() }),
    status: 201,
    errors: ['conflict', 'disk_full'],
  }),
  sendPart: endpoint({
    method: 'PUT',
    path: '/api/admin/models/uploads/:id/part',
    access: 'super_admin',
    summary: 'Upload the next part of a file as the request body, at most 67108864 bytes',
    params: IdParams,
    query: z.object({
      file: z.coerce.number().int().min(0).max(199),
      /** The position of the part in the file. */
      offset: z.coerce.number().int().min(0),
    }),
    response: z.object({ received_bytes: z.int().nonnegative() }),
    transport: 'bytes',
    errors: ['not_found', 'conflict', 'upload_too_large', 'disk_full'],
  }),
  finishUpload: endpoint({
    method: 'POST',
    path: '/api/admin/models/uploads/:id/finish',
    access: 'super_admin',
    summary: 'Finish an upload whose files are complete, so that it can be imported',
    params: IdParams,
    response: z.object({ import: ModelImport }),
    errors: ['not_found', 'conflict'],
  }),
  abandonUpload: endpoint({
    method: 'DELETE',
    path: '/api/admin/models/uploads/:id',
    access: 'super_admin',
    summary: 'Abandon an upload; the parts received are deleted',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
  }),
}
