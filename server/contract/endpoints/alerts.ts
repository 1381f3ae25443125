import { z } from 'zod'
import {
  Alert,
  AlertDigest,
  AlertFilter,
  AlertSelection,
  AlertState,
  maxAlertIds,
  maxWatchLists,
  WatchList,
  WatchListInput,
} from '../alerts.ts'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams, Message } from '../scalars.ts'

const Count = z.int().nonnegative()
const Digest = AlertDigest.extend({
  /** Whether a mail server is configured; without one, no mails are sent. */
  can_send: z.boolean(),
})

/** Watch lists and the alerts that they raise. */
export const alerts = {
  list: endpoint({
    method: 'GET',
    path: '/api/alerts',
    access: 'user',
    summary: 'Alerts, those of the recording that was finished last first; `total` counts all that the filter shows',
    query: AlertFilter.extend({
      cursor: Id.optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: z.object({ alerts: z.array(Alert), total: Count, cursor: Id.nullable() }),
    errors: [],
  }),
  count: endpoint({
    method: 'GET',
    path: '/api/alerts/count',
    access: 'user',
    summary: 'How many alerts are neither reviewed nor dismissed',
    response: z.object({ unread: Count }),
    errors: [],
  }),
  setState: endpoint({
    method: 'POST',
    path: '/api/alerts/state',
    access: 'user',
    summary: `Mark alerts: up to ${maxAlertIds.toLocaleString('en')} by id, or all that a filter shows. \`change_id\` undoes it`,
    body: z.object({ selection: AlertSelection, state: AlertState }),
    response: z.object({ changed: Count, change_id: Id }),
    errors: [],
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/alerts/state/undo',
    access: 'user',
    summary: 'Undo a change of states; alerts that were marked again since stay as they are',
    body: z.object({ change_id: Id }),
    response: z.object({ changed: Count }),
    errors: [],
  }),
  listWatchLists: endpoint({
    method: 'GET',
    path: '/api/alerts/watch-lists',
    access: 'user',
    summary: "The user's watch lists by name",
    response: z.object({ watch_lists: z.array(WatchList) }),
    errors: [],
  }),
  addWatchList: endpoint({
    method: 'POST',
    path: '/api/alerts/watch-lists',
    access: 'user',
    summary: `Add a watch list, at most ${maxWatchLists}; it applies to jobs that finish afterwards`,
    body: WatchListInput,
    response: WatchList,
    status: 201,
    limit: { max: maxWatchLists, error: 'conflict' },
    errors: ['conflict'],
  }),
  changeWatchList: endpoint({
    method: 'PUT',
    path: '/api/alerts/watch-lists/:id',
    access: 'user',
    summary: 'Change a watch list; alerts that it raised before stay',
    params: IdParams,
    body: WatchListInput,
    response: WatchList,
    errors: ['not_found', 'conflict'],
  }),
  removeWatchList: endpoint({
    method: 'DELETE',
    path: '/api/alerts/watch-lists/:id',
    access: 'user',
    summary: 'Delete a watch list with its alerts',
    params: IdParams,
    response: Message,
    errors: ['not_found'],
  }),
  startScan: endpoint({
    method: 'POST',
    path: '/api/alerts/watch-lists/:id/scan',
    access: 'user',
    summary: 'Scan the whole library for a watch list in the background; 409 while it is being scanned',
    params: IdParams,
    response: WatchList,
    errors: ['not_found', 'conflict'],
  }),
  cancelScan: endpoint({
    method: 'DELETE',
    path: '/api/alerts/watch-lists/:id/scan',
    access: 'user',
    summary: 'Stop scanning; alerts that were raised stay',
    params: IdParams,
    response: WatchList,
    errors: ['not_found'],
  }),
  getDigest: endpoint({
    method: 'GET',
    path: '/api/alerts/digest',
    access: 'user',
    summary: 'Which mails about alerts the user gets',
    response: Digest,
    errors: [],
  }),
  changeDigest: endpoint({
    method: 'PUT',
    path: '/api/alerts/digest',
    access: 'user',
    summary: 'Choose which mails about alerts the user gets',
    body: AlertDigest,
    response: Digest,
    errors: [],
  }),
}
