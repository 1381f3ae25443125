import { AppError } from '#contract/app-error.ts'
import type { Response } from '#contract/endpoint.ts'
import type { watchFolder } from '#contract/endpoints/watch-folder.ts'
import { findCase, findCasesById } from '#data/cases/cases.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { isObjectId } from '#data/ids.ts'
import { findPeople } from '#data/users/people.ts'
import {
  listWatchFolders,
  watchedFolderName,
  type BoundRecipient,
  type WatchFolderRecord,
} from '#data/watch-folders/watch-folders.ts'
import type { Users } from '../users/service.ts'

type Status = Response<typeof watchFolder.status>

/** Reads what the importing server last stored about each folder. `folder` is undefined if no watch folder is set. */
export async function readWatchStatus(connection: DatabaseConnection, folder: string | undefined): Promise<Status> {
  if (folder === undefined) return { folder: null, checked_at: null, waiting: 0, problems: [], folders: [] }
  const known = await listWatchFolders(connection)
  const itself = known.find(({ name }) => name === watchedFolderName)
  const folders = known.filter(({ name }) => name !== watchedFolderName)
  const describeRecipient = await readRecipients(connection, folders)
  return {
    folder,
    checked_at: itself?.checkedAt.toISOString() ?? null,
    waiting: itself?.waiting ?? 0,
    problems: itself?.problems ?? [],
    folders: folders.map(({ name, recipient, boundAt, isPresent, waiting, problems, problemCount, lastTakenAt }) => ({
      name,
      recipient: recipient && describeRecipient(recipient),
      bound_at: boundAt?.toISOString() ?? null,
      is_present: isPresent,
      waiting,
      problems,
      problem_count: problemCount,
      last_taken_at: lastTakenAt?.toISOString() ?? null,
    })),
  }
}

/** Returns a function that presents a recipient by the current name of the user or case. */
async function readRecipients(connection: DatabaseConnection, folders: WatchFolderRecord[]) {
  const recipients = folders.flatMap(({ recipient }) => recipient ?? [])
  const idsOf = (kind: BoundRecipient['kind']) => recipients.filter((each) => each.kind === kind).map(({ id }) => id)
  const cases = await findCasesById(connection, idsOf('case'))
  const people = await findPeople(connection, [...idsOf('user'), ...[...cases.values()].map(({ ownerId }) => ownerId)])
  return ({ kind, id }: BoundRecipient) => {
    const found = cases.get(id)
    const owner = people.get(kind === 'user' ? id : (found?.ownerId ?? ''))?.email ?? null
    return { kind, id, name: kind === 'user' ? owner : (found?.name ?? null), owner }
  }
}

/**
 * Returns the user with an e-mail address, or the case with an id.
 *
 * @throws AppError `not_found` where there is none
 */
export async function requireRecipient(
  { connection, users }: { connection: DatabaseConnection; users: Pick<Users, 'findByEmail'> },
  named: string,
): Promise<BoundRecipient> {
  if (isObjectId(named) && (await findCase(connection, named))) return { kind: 'case', id: named.toLowerCase() }
  const user = await users.findByEmail(named.toLowerCase())
  if (user) return { kind: 'user', id: user.id }
  throw new AppError('not_found', `There is no user with the e-mail address "${named}", and no case with that id.`)
}
