import { z } from 'zod'
import {
  Batch,
  BatchItem,
  BatchItemState,
  BatchPreview,
  BatchRequest,
  maxOpenBatches,
  TargetLanguages,
} from '../batches.ts'
import { endpoint } from '../endpoint.ts'
import { LibrarySelection } from '../library.ts'
import { IdParams, PageInfo, Paging } from '../scalars.ts'
import { transcriptFormats } from '../transcript-formats.ts'

export const batches = {
  create: endpoint({
    method: 'POST',
    path: '/api/batches',
    access: 'user',
    summary:
      'Transcribe and translate many recordings. It runs by itself: jobs are queued as there is room, and what is done already with equal ' +
      'choices is skipped unless `redo` is set',
    body: BatchRequest,
    response: Batch,
    status: 201,
    limit: { max: maxOpenBatches, error: 'conflict' },
    errors: ['not_found', 'conflict', 'unsupported_language', 'unsupported_pair', 'model_unavailable'],
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/batches/preview',
    access: 'user',
    summary: 'What a batch would do, without starting it; of a long selection the first recordings are looked at',
    body: BatchRequest,
    response: BatchPreview,
    errors: [],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/batches',
    access: 'user',
    summary: 'The batches of the last 30 days, newest first, at most 100',
    response: z.object({ batches: z.array(Batch) }),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/batches/:id',
    access: 'user',
    summary: 'A batch with its recordings, in the order of the selection; `state` names those to list',
    params: IdParams,
    query: z.object({ ...Paging, state: BatchItemState.optional() }),
    response: z.object({ batch: Batch, items: z.array(BatchItem), ...PageInfo }),
    errors: ['not_found'],
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/batches/:id',
    access: 'user',
    summary: 'Cancel the rest of a batch and the jobs that it queued; one that has ended is returned unchanged',
    params: IdParams,
    response: Batch,
    errors: ['not_found'],
  }),
  retryFailed: endpoint({
    method: 'POST',
    path: '/api/batches/:id/retry',
    access: 'user',
    summary: 'Try what failed again',
    params: IdParams,
    response: Batch,
    errors: ['not_found'],
  }),
  export: endpoint({
    method: 'POST',
    path: '/api/library/export',
    access: 'user',
    summary:
      'A ZIP archive of transcripts, each in every format and with each translation to `target_languages` that exists, else without one; ' +
      '`manifest.csv` in it lists every recording with its files and what is missing',
    body: z.object({
      selection: LibrarySelection,
      formats: z
        .array(z.enum(transcriptFormats))
        .min(1, 'Choose a format')
        .transform((formats) => [...new Set(formats)]),
      target_languages: TargetLanguages,
    }),
    response: z.string(),
    transport: 'file',
    heavy: 'parts',
    errors: ['not_found'],
  }),
}
