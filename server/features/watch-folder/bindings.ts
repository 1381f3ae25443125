import type { CaseRecord } from '#data/cases/case-record.ts'
import { findCase, listCases } from '#data/cases/cases.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { isObjectId } from '#data/ids.ts'
import { bindWatchFolder, findWatchFolder, type BoundRecipient } from '#data/watch-folders/watch-folders.ts'
import type { Users } from '../users/service.ts'
import { FolderProblem } from './folder-problem.ts'
import { decodeName, isDecodable } from './names.ts'

const casesPerPage = 100

/** The owner that the files of a folder are imported for. */
export interface FolderRecipient {
  ownerId: string
  /** The case they are added to; null for a user's folder. */
  caseId: string | null
}

export interface BindingDeps {
  connection: DatabaseConnection
  users: Pick<Users, 'findById' | 'findByEmail'>
}

/**
 * Returns who receives the files of a folder: the user or case it was bound to when first seen. An unbound folder is bound now. Neither
 * renaming the user or case, nor another one taking the old name, changes the binding.
 *
 * @throws FolderProblem where it cannot be bound, or its recipient cannot receive anything
 */
export async function findRecipient(deps: BindingDeps, folder: Buffer): Promise<FolderRecipient> {
  const bound = await bindFolder(deps, folder)
  return bound.kind === 'user' ? await findUser(deps, bound.id) : await findCaseOwner(deps, bound.id)
}

/**
 * Binds a folder to the user whose e-mail address it is named after, or to the case with that name or id, unless it is already bound.
 *
 * @throws FolderProblem where there is none, or more than one case has the name
 */
export async function bindFolder(deps: BindingDeps, folder: Buffer): Promise<BoundRecipient> {
  if (!isDecodable(folder))
    throw new FolderProblem(`The name of the folder "${decodeName(folder)}" is not in UTF-8. Rename this folder.`)
  const name = folder.toString('utf8')
  const known = await findWatchFolder(deps.connection, name)
  if (known?.recipient) return known.recipient
  return await bindWatchFolder(deps.connection, name, await findNamed(deps, name))
}

async function findNamed({ connection, users }: BindingDeps, name: string): Promise<BoundRecipient> {
  // Anybody may name a case: a case named like the address of an account that is gone, or does not exist yet, must get nothing from that
  // folder.
  if (name.includes('@')) {
    const user = await users.findByEmail(name.toLowerCase())
    if (!user) throw nobodyError(name)
    return { kind: 'user', id: user.id }
  }
  const found = await findCases(connection, name)
  const [only, ...others] = found
  if (!only) throw nobodyError(name)
  if (others.length === 0) return { kind: 'case', id: only.id }
  const ids = found.map(({ id }) => id).join(', ')
  throw new FolderProblem(`${found.length} cases are named "${name}". Name this folder by the id of one: ${ids}.`)
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

/** Help for a folder whose recipient is gone: it stays bound, so that nobody receives its files by taking over the name. */
const rebindHelp = 'A super admin can bind it to another one on the page Watch folder.'

async function findUser({ users }: BindingDeps, id: string): Promise<FolderRecipient> {
  const user = await users.findById(id)
  if (!user) throw new FolderProblem(`The account that this folder belongs to was deleted. ${rebindHelp}`)
  if (!user.isActive) throw new FolderProblem(`The account ${user.email} is deactivated.`)
  return { ownerId: id, caseId: null }
}

async function findCaseOwner({ connection, users }: BindingDeps, id: string): Promise<FolderRecipient> {
  const found = await findCase(connection, id)
  if (!found) throw new FolderProblem(`The case that this folder belongs to was deleted. ${rebindHelp}`)
  const owner = await users.findById(found.ownerId)
  if (!owner?.isActive) throw new FolderProblem(`The account of the owner of the case "${found.name}" is deactivated.`)
  return { ownerId: found.ownerId, caseId: id }
}
