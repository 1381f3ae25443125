import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Model } from '../entities/model.ts'
import { ImportName, ModelImport, ModelOperation, ModelRequest, UploadFile } from '../entities/model-operation.ts'
import { Id, IdParams, Message } from '../scalars.ts'

/** The maximum size of one part of an upload: 64 MiB, below the 100 MB that reverse proxies commonly accept. */
export const uploadPartBytes = 64 * 1024 * 1024

const OperationAnswer = z.object({ operation: ModelOperation })

/** The models of this installation. Engines publish them and run operations on them; the server stores operations and their outcome. */
export const models = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/models',
    access: 'super_admin',
    summary:
      'The models that engines know: installed ones, what they serve, what is wrong with them, and those that can be had',
    response: z.object({
      /** Null while no engine has published its list. */
      models: z.array(Model).nullable(),
      /** What is wrong with the catalogues, such as invalid entries; one sentence per problem. */
      problems: z.array(z.string()),
      /** Running engines. */
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
    summary: 'Download, import, try, use or remove a model; an engine does it. Audited',
    body: ModelRequest,
    response: OperationAnswer,
    status: 202,
    errors: ['not_found', 'conflict'],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/admin/models/operations/:id',
    access: 'super_admin',
    summary: 'Cancel an operation; one that has ended stays as it is. Audited',
    params: IdParams,
    response: OperationAnswer,
    errors: ['not_found'],
  }),
  imports: endpoint({
    method: 'GET',
    path: '/api/admin/models/imports',
    access: 'super_admin',
    summary: 'What lies in MODELS_DIR/import, and the room left there',
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
      'Begin to upload a model: the files it has. They appear in MODELS_DIR/import when all of them are there. Audited',
    body: z.object({ name: ImportName, files: z.array(UploadFile).min(1, 'There is no file').max(200) }),
    response: z.object({ upload_id: Id, part_bytes: z.int().positive() }),
    status: 201,
    errors: ['conflict', 'disk_full'],
  }),
  sendPart: endpoint({
    method: 'PUT',
    path: '/api/admin/models/uploads/:id/part',
    access: 'super_admin',
    summary: 'The next bytes of a file of an upload, at most 67108864, as the body of the request',
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
    summary: 'End an upload whose files are all there: from then on it can be imported',
    params: IdParams,
    response: z.object({ import: ModelImport }),
    errors: ['not_found', 'conflict'],
  }),
  abandonUpload: endpoint({
    method: 'DELETE',
    path: '/api/admin/models/uploads/:id',
    access: 'super_admin',
    summary: 'Give an upload up: what came of it is deleted',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
  }),
}
