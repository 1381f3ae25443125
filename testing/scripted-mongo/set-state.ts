import { ObjectId } from 'bson'
import type { Document } from '#server/embedded-db/bson/values.ts'

/** What a scripted server claims to be. */
export type DeploymentKind = 'embedded' | 'standalone' | 'set'

/** A `refusing` member accepts no connections; a `hanging` one never answers. */
export type MemberState = 'up' | 'refusing' | 'hanging'

export interface ClaimedVersion {
  version: string
  maxWireVersion: number
}

/** State shared by all members of a scripted deployment. */
export interface ReplicaSetState {
  kind: DeploymentKind
  claimed: ClaimedVersion
  /** Addresses of the members, in order. */
  hosts: string[]
  /** Index of the primary; null while there is none. */
  primary: number | null
  members: MemberState[]
  /** Replies to retryable writes by session and transaction number, which a set keeps for retries. */
  retryableWrites: Map<string, Promise<Document>>
}

const notWritablePrimary = 10107

/** Returns what a member reports about itself, based on what the database behind it reports. */
export function describeMember(state: ReplicaSetState, index: number, hello: Document): Document {
  if (state.kind === 'embedded') return hello
  const { awazEmbedded: _, ...own } = hello
  const claimed = { ...own, maxWireVersion: state.claimed.maxWireVersion }
  if (state.kind === 'standalone') return claimed
  const isPrimary = state.primary === index
  return {
    ...claimed,
    isWritablePrimary: isPrimary,
    ismaster: isPrimary,
    secondary: !isPrimary,
    setName: 'rs0',
    setVersion: 1,
    hosts: state.hosts,
    me: state.hosts[index],
    ...(state.primary !== null && { primary: state.hosts[state.primary] }),
    ...(isPrimary && { electionId: electionIdOf(state) }),
  }
}

let elections = 0
const electionIds = new WeakMap<ReplicaSetState, ObjectId>()

/** Begins a new term; an older primary is recognized by its lower election id. */
export function recordElection(state: ReplicaSetState): void {
  elections += 1
  electionIds.set(state, new ObjectId(elections.toString(16).padStart(24, '0')))
}

function electionIdOf(state: ReplicaSetState): ObjectId | undefined {
  if (!electionIds.has(state)) recordElection(state)
  return electionIds.get(state)
}

/** Returns the error of a member that is not the primary; it allows a retry if the command is retryable. */
export function notPrimaryReply(command: Document): Document {
  return errorReply(command, notWritablePrimary, 'not primary')
}

/** Returns an error as servers since 4.4 send it, with the label that makes drivers retry a write. */
export function errorReply(command: Document, code: number, errmsg: string): Document {
  return { ok: 0, code, errmsg, ...('txnNumber' in command && { errorLabels: ['RetryableWriteError'] }) }
}
