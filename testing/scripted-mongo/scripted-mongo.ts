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
  /** Connection string of the embedded database that executes the commands. */
  upstreamUri: string
  /** `embedded` passes on what the database reports about itself. Default: a replica set of three. */
  kind?: DeploymentKind
  /** The version that it claims to be. Default 8.0.0. */
  claimed?: ClaimedVersion
  /** Default: plain connections. */
  tls?: TlsOptions
  /** Who may use it. Default: everybody. */
  requiredUser?: RequiredCredentials
}

/**
 * A MongoDB deployment that on command does what a real one does when it fails. Its commands are executed by the embedded database behind
 * it. Like a real set, it executes a retryable write only once; unlike one, it does not replicate, so no change is ever rolled back.
 */
export interface ScriptedMongo {
  uri: string
  /** Commands other than the driver's own, as received, oldest first. */
  commands: Document[]
  /** Makes the primary a secondary. Resolves when another primary is elected, after `electionMs`. */
  stepDown(electionMs: number): Promise<void>
  /** Kills the primary with all its connections. Resolves when another one is elected, after `electionMs`. */
  killPrimary(electionMs: number): Promise<void>
  /** Changes the version that it claims to be, as if it had been replaced. */
  claim(version: ClaimedVersion): void
  /** Sets what all members do; `refusing` closes their connections. */
  setMembers(state: MemberState): void
  /** Makes the next matching command meet a fault. Resolves when that has happened. */
  failNext(matches: (command: SeenCommand) => boolean, fault: DatabaseFault): Promise<void>
  /** Makes every command meet the fault that `choose` returns; no fault if it returns undefined. */
  failBy(choose: (command: SeenCommand) => DatabaseFault | undefined): void
  close(): Promise<void>
}

/** Starts a scripted deployment in front of an embedded database. */
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
