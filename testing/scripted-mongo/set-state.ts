import { ObjectId } from 'bson'
import type { Document } from '#server/embedded-db/bson/values.ts'

/** What a scripted server claims to be. */
export type DeploymentKind = 'embedded' | 'standalone' | 'set'

/** `refusing` and `hanging` members accept no connection, or answer none. */
export type MemberState = 'up' | 'refusing' | 'hanging'

export interface ClaimedVersion {
  version: string
  maxWireVersion: number
}

/** What all members of a scripted deployment know. */
export interface ReplicaSetState {
  kind: DeploymentKind
  claimed: ClaimedVersion
  /** Addresses of the members, in order. */
  hosts: string[]
  /** Index of the primary; null while there is none. */
  primary: number | null
  members: MemberState[]
  /** Replies of retryable writes by session and number, as a set keeps them for a repeat. */
  retryableWrites: Map<string, Promise<Document>>
}

const notWritablePrimary = 10107

/** Returns what a member says of itself, from what the database behind it says. */
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

/** Begins a new term: an older primary is recognized by its lower id. */
export function recordElection(state: ReplicaSetState): void {
  elections += 1
  electionIds.set(state, new ObjectId(elections.toString(16).padStart(24, '0')))
}

function electionIdOf(state: ReplicaSetState): ObjectId | undefined {
  if (!electionIds.has(state)) recordElection(state)
  return electionIds.get(state)
}

/** Returns the error of a member that is not the primary; one that may be repeated where the driver can. */
export function notPrimaryReply(command: Document): Document {
  return errorReply(command, notWritablePrimary, 'not primary')
}

/** Returns an error as a server since 4.4 sends it: with the label by which drivers repeat a write. */
export function errorReply(command: Document, code: number, errmsg: string): Document {
  return { ok: 0, code, errmsg, ...('txnNumber' in command && { errorLabels: ['RetryableWriteError'] }) }
}
