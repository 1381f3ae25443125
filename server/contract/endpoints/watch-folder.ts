import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, Message, Moment } from '../scalars.ts'
import { t } from '../texts/t.ts'

/** Why something in the watch folder is not imported. */
export const WatchProblem = z.object({
  /** The path of the file or folder, relative to the folder for which it is reported; empty for that folder itself. */
  path: z.string(),
  /** Sentences that say what to do. */
  reason: z.string(),
})
export type WatchProblem = z.infer<typeof WatchProblem>

/** Who receives the recordings of a folder: a user, or the owner of a case, whose recordings are added to the case. */
const WatchRecipient = z.object({
  kind: z.enum(['user', 'case']),
  id: Id,
  /** The current e-mail address of the user or name of the case; null if it was deleted. */
  name: z.string().nullable(),
  /** E-mail address of the user to whom the recordings belong; null if that account was deleted. */
  owner: z.string().nullable(),
})

/** A folder in the watch folder. */
export const WatchedFolder = z.object({
  name: z.string(),
  /** Null for a folder that is not bound: its problems say why. */
  recipient: WatchRecipient.nullable(),
  bound_at: Moment.nullable(),
  /** False for a folder that no longer exists but stays bound. */
  is_present: z.boolean(),
  /** The number of files not yet imported. */
  waiting: z.int().nonnegative(),
  problems: z.array(WatchProblem),
  /** Includes the problems beyond those listed. */
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
      /** Absolute path on the server; null when no watch folder is set. */
      folder: z.string().nullable(),
      /** When a server last scanned the folder; null for never. */
      checked_at: Moment.nullable(),
      /** The number of files directly in the watch folder. */
      waiting: z.int().nonnegative(),
      /** Problems of the watch folder itself. */
      problems: z.array(WatchProblem),
      /** Sorted by name. */
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
      /** E-mail address of a user or id of a case; null looks up the folder’s name again. */
      recipient: z.string().trim().min(1, t('Enter an e-mail address or the id of a case')).max(254).nullable(),
    }),
    response: Message,
    errors: ['not_found'],
  }),
}
