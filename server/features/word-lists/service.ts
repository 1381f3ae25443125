import { AppError } from '#contract/app-error.ts'
import type { NewWordList, WordList } from '#contract/word-lists.ts'
import { findCase } from '#data/cases/cases.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { keepState } from '#data/holds/kept-states.ts'
import { findWordList, removeWordLists, replaceWordList, type WordListOwner } from '#data/word-lists/word-lists.ts'
import type { AuthUser } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'
import type { CaseActor } from '../cases/policy.ts'
import { assertCanEditCase, assertIsMember, caseNotFound, requireCase } from '../cases/policy.ts'
import type { Users } from '../users/service.ts'

export type WordListService = ReturnType<typeof createWordLists>

type Actor = Pick<CaseActor, 'user' | 'origin'>

interface WordListsDeps {
  connection: DatabaseConnection
  audit: Pick<Audit, 'record'>
  users: Pick<Users, 'isActive'>
}

/** Creates the service for word lists of users and cases: who reads and writes them (docs/decisions/word-lists.md), and the audit trail. */
export function createWordLists({ connection, audit, users }: WordListsDeps) {
  /** Throws `conflict` if the list has been changed since. The audit trail records how many words there are, but none of the words. */
  async function replace(actor: Actor, owner: WordListOwner, list: NewWordList): Promise<WordList> {
    const stored = await replaceWordList(connection, owner, list)
    if (!stored)
      throw new AppError('conflict', 'The list was changed meanwhile', {
        help: 'Load it again, and repeat your change.',
      })
    const { user, origin } = actor
    const details = `words: ${stored.words.length}`
    await audit.record(
      { action: `word_list.${owner.of}`, outcome: 'success', actor: user, target: owner.id, details },
      origin,
    )
    return stored
  }

  return {
    readOwn: (userId: string) => findWordList(connection, { of: 'user', id: userId }),

    /**
     * Throws `conflict`, and `session_expired` for an account that is closed in the meantime. Deleting an account deactivates it before
     * removing its list; after that only a first list (revision 0) can be stored, and it is removed here.
     */
    async replaceOwn(actor: Actor, list: NewWordList): Promise<WordList> {
      const { id } = actor.user
      const stored = await replace(actor, { of: 'user', id }, list)
      if (list.revision > 0 || (await users.isActive(id))) return stored
      await removeWordLists(connection, 'user', [id])
      throw new AppError('session_expired', 'Token has expired')
    },

    /** Throws `not_found`, and `forbidden` for an admin who is not a member. */
    async readOfCase(user: AuthUser, id: string): Promise<WordList> {
      assertIsMember(await requireCase(connection, user, id))
      return findWordList(connection, { of: 'case', id })
    },

    /**
     * Throws `not_found`, `forbidden` for members with read-only access, and `conflict`. A case deleted in the meantime keeps no list; for
     * a case on hold, the previous list is kept.
     */
    async replaceOfCase(actor: Actor, id: string, list: NewWordList): Promise<WordList> {
      const opened = await requireCase(connection, actor.user, id)
      assertCanEditCase(opened)
      const { hold, ownerId } = opened.record
      if (hold) {
        const { words } = await findWordList(connection, { of: 'case', id })
        await keepState(connection, { ownerId, subjectId: id }, { kind: 'case_words', state: words })
      }
      const stored = await replace(actor, { of: 'case', id }, list)
      if (await findCase(connection, id)) return stored
      await removeWordLists(connection, 'case', [id])
      throw caseNotFound()
    },
  }
}
