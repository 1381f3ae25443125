import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, Message, Moment } from '../scalars.ts'
import { t } from '../texts/t.ts'

/** Why something in the watch folder is not imported. */
export const WatchProblem = z.object({
  /** Of the file or folder, relative to the folder that it is reported for; empty for that folder itself. */
  path: z.string(),
  /** Sentences that say what to do. */
  reason: z.string(),
})
export type WatchProblem = z.infer<typeof WatchProblem>

/** What the recordings of a folder become: those of a user, or those of the owner of a case, in that case. */
const WatchRecipient = z.object({
  kind: z.enum(['user', 'case']),
  id: Id,
  /** E-mail address of the user, or name of the case, as they are now; null for one that was deleted. */
  name: z.string().nullable(),
  /** E-mail address of the user whom the recordings belong to; null where that account was deleted. */
  owner: z.string().nullable(),
})

/** A folder in the watch folder. */
export const WatchedFolder = z.object({
  name: z.string(),
  /** Null for a folder that is bound to nothing: its problems say why. */
  recipient: WatchRecipient.nullable(),
  bound_at: Moment.nullable(),
  /** False for a folder that is gone, and stays bound. */
  is_present: z.boolean(),
  /** Files that are not imported yet. */
  waiting: z.int().nonnegative(),
  problems: z.array(WatchProblem),
  /** With those that are too many to list. */
  problem_count: z.int().nonnegative(),
  last_taken_at: Moment.nullable(),
})
export type WatchedFolder = z.infer<typeof WatchedFolder>

export const watchFolder = {
  status: endpoint({
    method: 'GET',
    path: '/api/auth/admin/watch-folder',
    access: 'admin',
    summary: 'Folders in the watch folder: what each is bound to, how many files wait, and why',
    response: z.object({
      /** Absolute path on the server; null where no watch folder is set. */
      folder: z.string().nullable(),
      /** When a server looked through it last; null for never. */
      checked_at: Moment.nullable(),
      /** Files that lie in the watch folder itself. */
      waiting: z.int().nonnegative(),
      /** Of the watch folder itself. */
      problems: z.array(WatchProblem),
      /** By name. */
      folders: z.array(WatchedFolder),
    }),
    errors: [],
  }),
  bind: endpoint({
    method: 'PUT',
    path: '/api/auth/super-admin/watch-folder',
    access: 'super_admin',
    summary: 'Bind a folder to another user or case, or to what its name says now; audited',
    body: z.object({
      /** The name of the folder. */
      folder: z.string().min(1).max(255),
      /** E-mail address of a user or id of a case; null looks the folder’s name up again. */
      recipient: z.string().trim().min(1, t('Enter an e-mail address or the id of a case')).max(254).nullable(),
    }),
    response: Message,
    errors: ['not_found'],
  }),
}
