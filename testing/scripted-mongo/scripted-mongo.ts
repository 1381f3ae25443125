import { setTimeout as wait } from 'node:timers/promises'
import type { TlsOptions } from 'node:tls'
import type { Document } from '#server/embedded-db/bson/values.ts'
import type { RequiredCredentials } from './authentication.ts'
import { createFaultPlan, type DatabaseFault, type SeenCommand } from './faults.ts'
import { startMember, type ReplicaSetMember } from './member.ts'
import {
  recordElection,
  type ClaimedVersion,
  type DeploymentKind,
  type MemberState,
  type ReplicaSetState,
} from './set-state.ts'

interface ScriptedMongoOptions {
  /** Connection string of the embedded database that carries out the commands. */
  upstreamUri: string
  /** `embedded` passes on what the database says of itself. Default: a replica set of three. */
  kind?: DeploymentKind
  /** The version that it claims. Default 8.0.0. */
  claimed?: ClaimedVersion
  /** Default: plain connections. */
  tls?: TlsOptions
  /** Who may use it. Default: everybody. */
  requiredUser?: RequiredCredentials
}

/**
 * A deployment of MongoDB that does on command what a real one does when it fails. What it is asked is carried out by the embedded database
 * behind it. A set repeats no retryable write, as a real one; it does not replicate, so a change is never undone.
 */
export interface ScriptedMongo {
  uri: string
  /** Commands other than the driver's own, as received, oldest first. */
  commands: Document[]
  /** Ends the term of the primary, which stays as a secondary; another one is elected after `electionMs`. Resolves then. */
  stepDown(electionMs: number): Promise<void>
  /** Ends the primary with all its connections; another one is elected after `electionMs`. Resolves then. */
  killPrimary(electionMs: number): Promise<void>
  /** Changes the version that it claims, as after it was replaced. */
  claim(version: ClaimedVersion): void
  /** Sets what all members do; `refusing` closes their connections. */
  setMembers(state: MemberState): void
  /** Makes the next matching command meet a fault. Resolves when it did. */
  failNext(matches: (command: SeenCommand) => boolean, fault: DatabaseFault): Promise<void>
  /** Makes every command meet the fault that `choose` returns; undefined leaves it alone. */
  failBy(choose: (command: SeenCommand) => DatabaseFault | undefined): void
  close(): Promise<void>
}

/** Starts such a deployment in front of an embedded database. */
export async function startScriptedMongo(options: ScriptedMongoOptions): Promise<ScriptedMongo> {
  const { kind = 'set', claimed = { version: '8.0.0', maxWireVersion: 25 }, upstreamUri, tls, requiredUser } = options
  const upstreamPath = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(upstreamUri)?.[1] ?? '')
  const count = kind === 'set' ? 3 : 1
  const state: ReplicaSetState = {
    kind,
    claimed,
    hosts: [],
    primary: 0,
    members: Array.from({ length: count }, () => 'up' as const),
    retryableWrites: new Map(),
  }
  const faults = createFaultPlan()
  const commands: Document[] = []
  const onCommand = (command: Document) => void commands.push(command)
  const members: ReplicaSetMember[] = []
  const closed = new AbortController()
  for (let index = 0; index < count; index += 1) {
    members.push(await startMember({ index, state, upstreamPath, faults, onCommand, tls, requiredUser }))
  }
  state.hosts = members.map(({ address }) => address)

  async function elect(last: number, electionMs: number): Promise<void> {
    state.primary = null
    await wait(electionMs, undefined, { signal: closed.signal })
    state.members[last] = 'up'
    recordElection(state)
    state.primary = (last + 1) % count
  }

  return {
    uri: `mongodb://${state.hosts.join(',')}/awaz?${kind === 'set' ? 'replicaSet=rs0' : 'directConnection=true'}`,
    commands,
    stepDown: (electionMs) => elect(state.primary ?? 0, electionMs),
    async killPrimary(electionMs) {
      const last = state.primary ?? 0
      state.members[last] = 'refusing'
      members[last]?.disconnect()
      await elect(last, electionMs)
    },
    claim(version) {
      state.claimed = version
    },
    setMembers(next) {
      state.members.fill(next)
      if (next === 'refusing') for (const member of members) member.disconnect()
    },
    failNext: faults.add,
    failBy: faults.chooseBy,
    async close() {
      closed.abort()
      await Promise.all(members.map((member) => member.close()))
    },
  }
}
