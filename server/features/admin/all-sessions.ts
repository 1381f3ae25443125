import { AppError } from '#contract/app-error.ts'
import type { SignInSettings } from '#contract/sign-in-settings.ts'
import type { Clock } from '#data/clock.ts'
import type { OpenSessions, SessionLists } from '#data/sessions/session-lists.ts'
import type { SessionRecord } from '#data/sessions/sessions.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { Audit } from '../audit/service.ts'
import { lifetimesOf } from '../sessions/lifetimes.ts'
import type { Sessions } from '../sessions/service.ts'
import type { SignInSettingsService } from '../sign-in-settings/service.ts'
import type { Users } from '../users/service.ts'
import { assertCanManage } from './policy.ts'
import type { AdminActionContext } from './service.ts'

interface AllSessionsDeps {
  lists: SessionLists
  sessions: Pick<Sessions, 'end'>
  users: Pick<Users, 'findById' | 'findByIds' | 'listIds'>
  signInSettings: Pick<SignInSettingsService, 'current'>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

const notFound = () => new AppError('not_found', 'Session not found')

/** The sessions of all users. */
export function createAllSessions({ lists, sessions, users, signInSettings, audit, clock }: AllSessionsDeps) {
  async function open(): Promise<OpenSessions> {
    return toOpenSessions(await signInSettings.current(), clock.now())
  }

  async function count(): Promise<number> {
    return lists.count(await open())
  }

  /**
   * Returns a page of the open sessions, most recently used first, each with its user. A search matches the user's name or e-mail address.
   */
  async function list(query: { search: string; page: number; per_page: number }) {
    const { total, rows } = query.search
      ? await lists.listOf(await users.listIds({ search: query.search }), await open(), query)
      : await lists.list(await open(), query)
    const owners = await users.findByIds(rows.map(({ ownerId }) => ownerId))
    return { total, rows: rows.flatMap((session) => withOwner(session, owners)) }
  }

  /** Ends a session. Throws `not_found`, or `forbidden` where an admin tries to end a super admin's session. */
  async function end({ user, origin }: AdminActionContext, id: string): Promise<void> {
    const session = await lists.findById(id, await open())
    const owner = session && (await users.findById(session.ownerId))
    if (!owner) throw notFound()
    assertCanManage(user, owner)
    if (!(await sessions.end(owner.id, id))) throw notFound()
    const entry = { action: 'admin.end_session', outcome: 'success' as const, actor: user, target: owner.email }
    await audit.record({ ...entry, details: session.ip && `begun at ${session.ip}` }, origin)
  }

  return { count, list, end }
}

export type AllSessions = ReturnType<typeof createAllSessions>

/** A user may be deleted while the sessions are read. */
function withOwner(
  session: SessionRecord,
  owners: Map<string, UserRecord>,
): { session: SessionRecord; owner: UserRecord }[] {
  const owner = owners.get(session.ownerId)
  return owner ? [{ session, owner }] : []
}

/** Shorter lifetimes also apply to existing sessions, as in `limitSession`. */
function toOpenSessions(settings: SignInSettings, nowMs: number): OpenSessions {
  const limits = (isRemembered: boolean) => {
    const { idleMs, absoluteMs } = lifetimesOf(settings, isRemembered)
    return { createdAfter: new Date(nowMs - absoluteMs), usedAfter: new Date(nowMs - idleMs) }
  }
  return { now: new Date(nowMs), session: limits(false), remembered: limits(true) }
}
