import type { DatabaseConnection } from '#data/connect.ts'
import type { CaseRecord } from '#data/cases/case-record.ts'
import { findCase, listCases } from '#data/cases/cases.ts'
import { isObjectId } from '#data/ids.ts'
import type { Users } from '../users/service.ts'
import { FolderProblem } from './folder-settings.ts'

const casesPerPage = 100

/** Whose recordings the files of a folder become. */
export interface Recipient {
  ownerId: string
  /** The case that they are added to; null for the folder of a user. */
  caseId: string | null
}

interface RecipientDeps {
  connection: DatabaseConnection
  users: Pick<Users, 'findById' | 'findByEmail'>
}

/**
 * Returns whose recordings the files of a folder become: of the user whose e-mail address is its name, or of the owner of the case with that
 * name or id.
 *
 * @throws FolderProblem where there is none, or more than one case has the name
 */
export async function findRecipient({ connection, users }: RecipientDeps, name: string): Promise<Recipient> {
  // Everybody may name a case: one named like the address of an account that is gone, or is to come, gets nothing of that folder.
  if (name.includes('@')) {
    const user = await users.findByEmail(name.toLowerCase())
    if (!user) throw nobodyError(name)
    if (!user.isActive) throw new FolderProblem(`The account ${name} is deactivated.`)
    return { ownerId: user.id, caseId: null }
  }
  const found = await findCases(connection, name)
  const [only, ...others] = found
  if (!only) throw nobodyError(name)
  if (others.length > 0) {
    const ids = found.map(({ id }) => id).join(', ')
    throw new FolderProblem(`${found.length} cases are named "${name}". Name this folder by the id of one: ${ids}.`)
  }
  const owner = await users.findById(only.ownerId)
  if (!owner?.isActive) throw new FolderProblem(`The account of the owner of the case "${name}" is deactivated.`)
  return { ownerId: only.ownerId, caseId: only.id }
}

function nobodyError(name: string): FolderProblem {
  return new FolderProblem(
    `There is no user with the e-mail address "${name}", and no case of that name. Rename this folder.`,
  )
}

async function findCases(connection: DatabaseConnection, name: string): Promise<CaseRecord[]> {
  if (isObjectId(name)) {
    const found = await findCase(connection, name)
    return found ? [found] : []
  }
  const named: CaseRecord[] = []
  for (let page = 1, isLast = false; !isLast; page += 1) {
    const query = { memberId: null, search: name, canAdd: false, page, perPage: casesPerPage }
    const { cases } = await listCases(connection, query)
    named.push(...cases.filter((each) => each.name.toLowerCase() === name.toLowerCase()))
    isLast = cases.length < casesPerPage
  }
  return named
}
