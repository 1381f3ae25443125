import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { KeywordCategory } from '../keywords/keywords.ts'
import {
  LibraryFilter,
  LibraryOrder,
  LibraryRecording,
  LibrarySelection,
  maxSavedFilters,
  maxSelected,
  maxTags,
  RecordingState,
  SavedFilter,
  Tag,
  TrashedRecording,
} from '../library.ts'
import { Id, IdParams, Message, Moment, PageInfo, Paging } from '../scalars.ts'

const Count = z.int().positive()

export const library = {
  list: endpoint({
    method: 'GET',
    path: '/api/library',
    access: 'user',
    summary: "The user's recordings with states, tags and hits, filtered and sorted; lists are written with commas",
    query: LibraryFilter.extend({
      ...LibraryOrder.shape,
      page: Paging.page,
      per_page: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: z.object({ recordings: z.array(LibraryRecording), ...PageInfo }),
    errors: [],
  }),
  facets: endpoint({
    method: 'GET',
    path: '/api/library/facets',
    access: 'user',
    summary: 'What can be filtered by, with the number of recordings of each; nothing that no recording has',
    response: z.object({
      total: z.int().nonnegative(),
      states: z.array(z.object({ state: RecordingState, count: Count })),
      languages: z.array(z.object({ language: z.string(), count: Count })),
      tags: z.array(z.object({ tag: z.string(), count: Count })),
      categories: z.array(z.object({ category: KeywordCategory, count: Count })),
    }),
    errors: [],
  }),
  tag: endpoint({
    method: 'POST',
    path: '/api/library/tags',
    access: 'user',
    summary:
      'Add tags to recordings and remove others; `changed` is the number of recordings, `held` of those on legal hold that keep their tags. `versions` ' +
      'are those that the events of the change have, where at most 100 recordings changed',
    body: z.object({
      selection: LibrarySelection,
      add: z.array(Tag).max(20).default([]),
      remove: z.array(Tag).max(20).default([]),
    }),
    response: z.object({
      changed: z.int().nonnegative(),
      held: Count.optional(),
      versions: z.array(z.object({ recording_id: Id, version: z.int().positive() })).optional(),
    }),
    limit: { max: maxTags, error: 'conflict' },
    errors: ['not_found', 'conflict', 'on_hold'],
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/library/remove',
    access: 'user',
    summary:
      'Delete recordings; until `restorable_until` they can be restored with everything made of them. `held_ids` are those on legal hold, ' +
      'which stay; 409 where all are',
    body: z.object({ selection: LibrarySelection }),
    response: z.object({
      removed: z.int().nonnegative(),
      ids: z.array(Id),
      restorable_until: Moment,
      /** Missing where nothing selected is on hold. */
      held_ids: z.array(Id).optional(),
    }),
    errors: ['not_found', 'on_hold'],
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/library/restore',
    access: 'user',
    summary: 'Bring deleted recordings back; 404 where it is too late for all of them',
    body: z.object({ ids: z.array(Id).min(1).max(maxSelected) }),
    response: z.object({ restored: z.int().nonnegative() }),
    errors: ['not_found'],
  }),
  listTrash: endpoint({
    method: 'GET',
    path: '/api/library/trash',
    access: 'user',
    summary:
      'Deleted recordings that can be restored, deleted last first; `total_size` is their bytes, of all pages, `days` how long what is ' +
      'deleted now can be restored, 0 for ten minutes',
    query: z.object({ page: Paging.page, per_page: z.coerce.number().int().min(1).max(200).default(50) }),
    response: z.object({
      recordings: z.array(TrashedRecording),
      total_size: z.int().nonnegative(),
      days: z.int().nonnegative(),
      ...PageInfo,
    }),
    errors: [],
  }),
  emptyTrash: endpoint({
    method: 'POST',
    path: '/api/library/trash/empty',
    access: 'user',
    summary:
      'Delete recordings from the trash for good: those of `ids`, or all that were deleted at `removed_by` or before',
    body: z.union([z.object({ ids: z.array(Id).min(1).max(maxSelected) }), z.object({ removed_by: Moment })]),
    response: z.object({ deleted: z.int().nonnegative() }),
    errors: ['not_found'],
  }),
  storage: endpoint({
    method: 'GET',
    path: '/api/library/storage',
    access: 'user',
    summary:
      'Bytes that count against the quota of the user, bytes of the trash among them, and the quota; null where there is none',
    response: z.object({
      used: z.int().nonnegative(),
      trash: z.int().nonnegative(),
      quota: z.int().positive().nullable(),
    }),
    errors: [],
  }),
  listFilters: endpoint({
    method: 'GET',
    path: '/api/library/filters',
    access: 'user',
    summary: "The user's saved filters by name",
    response: z.object({ filters: z.array(SavedFilter) }),
    errors: [],
  }),
  saveFilter: endpoint({
    method: 'POST',
    path: '/api/library/filters',
    access: 'user',
    summary: 'Save a filter with an order; one of the same name is replaced',
    body: SavedFilter.omit({ id: true }).extend({
      name: z.string().trim().min(1, 'Please enter a name').max(80, 'A name must be at most 80 characters'),
    }),
    response: SavedFilter,
    status: 201,
    limit: { max: maxSavedFilters, error: 'conflict' },
    errors: ['conflict'],
  }),
  removeFilter: endpoint({
    method: 'DELETE',
    path: '/api/library/filters/:id',
    access: 'user',
    summary: 'Delete a saved filter',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
  }),
}
