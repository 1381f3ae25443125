import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { createHostProcess, type HostProcess } from '../../hosts/host-process.ts'
import { createNetwork, setHostOnline, type Network, type NetworkHost } from '../../hosts/network.ts'

const port = 27_017
const setName = 'chaos'
const memberNames = ['member1', 'member2', 'member3']
/** With its default settings, MongoDB elects a primary within about 12 s. */
const primaryLimitMs = 60_000

/** A mongod of the set, in its own network namespace. */
export interface SetMember {
  name: string
  address: string
  process: HostProcess
  /** Disconnects it from the network, or reconnects it. */
  setOnline(isOnline: boolean): void
}

/** Three members of one replica set. */
export interface ReplicaSet {
  /** MONGODB_URI of the product. */
  uri: string
  members: SetMember[]
  /** Waits for a primary, and returns it. */
  primary(): Promise<SetMember>
  /** Tells the primary to step down, even if no member has caught up. */
  stepDown(): Promise<void>
  /** Kills every member and removes the network and the files. */
  destroy(): void
}

interface ReplicaSetOptions {
  /** Path of the mongod program. */
  mongod: string
}

/** Starts three members and waits for their primary. Throws a member's response if they do not form a set. */
export async function startReplicaSet({ mongod }: ReplicaSetOptions): Promise<ReplicaSet> {
  // Not inside the product's folder, by which the product's own processes are found.
  const folder = mkdtempSync(join(tmpdir(), 'awaz-set-'))
  let network: Network | undefined
  let members: SetMember[] = []

  function destroy() {
    for (const { process } of members) void process.kill()
    network?.destroy()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }

  try {
    network = createNetwork(memberNames)
    members = [...network.hosts.values()].map((host) => createMember(host, { mongod, folder }))
    await Promise.all(members.map(({ process }) => process.start()))
    await initiate(members)
    const set: ReplicaSet = {
      uri: `mongodb://${members.map(({ address }) => address).join(',')}/awaz?replicaSet=${setName}`,
      members,
      primary: () => findPrimary(members),
      stepDown: async () => stepDown(await findPrimary(members)),
      destroy,
    }
    await set.primary()
    return set
  } catch (error) {
    destroy()
    throw error
  }
}

function createMember(host: NetworkHost, { mongod, folder }: ReplicaSetOptions & { folder: string }): SetMember {
  const dataDir = join(folder, host.name)
  mkdirSync(dataDir)
  const address = `${host.address}:${port}`
  const settings = {
    replSet: setName,
    port: String(port),
    bind_ip: `127.0.0.1,${host.address}`,
    dbpath: dataDir,
    oplogSize: '256',
  }
  const command = [mongod, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])]
  const process = createHostProcess({
    host,
    name: host.name,
    command,
    folder,
    logFolder: join(folder, 'logs'),
    untilReady: () => untilAnswered(address),
  })
  return { name: host.name, address, process, setOnline: (isOnline) => setHostOnline(host, isOnline) }
}

/** Calls a member directly, whatever its role in the set. */
async function withMember<Value>(address: string, call: (client: MongoClient) => Promise<Value>): Promise<Value> {
  const options = { directConnection: true, serverSelectionTimeoutMS: 2_000, socketTimeoutMS: 5_000 }
  const client = new MongoClient(`mongodb://${address}`, options)
  try {
    return await call(client)
  } finally {
    await client.close()
  }
}

async function untilAnswered(address: string): Promise<void> {
  const ask = () => withMember(address, (client) => client.db('admin').command({ ping: 1 }))
  const isAnswering = () =>
    ask().then(
      () => true,
      () => false,
    )
  while (!(await isAnswering())) await wait(200)
}

async function initiate(members: SetMember[]): Promise<void> {
  const config = { _id: setName, members: members.map(({ address }, _id) => ({ _id, host: address })) }
  const [first] = members
  if (first) await withMember(first.address, (client) => client.db('admin').command({ replSetInitiate: config }))
}

async function findPrimary(members: SetMember[]): Promise<SetMember> {
  const endMs = performance.now() + primaryLimitMs
  while (performance.now() < endMs) {
    const found = await Promise.all(members.map(async (member) => ((await isPrimary(member)) ? [member] : [])))
    const [primary] = found.flat()
    if (primary) return primary
    await wait(200)
  }
  throw new Error(`The set has no primary after ${primaryLimitMs / 1000} s`)
}

/** A member that does not respond is not a primary. */
async function isPrimary({ address }: SetMember): Promise<boolean> {
  try {
    const { isWritablePrimary } = await withMember(address, (client) => client.db('admin').command({ hello: 1 }))
    return isWritablePrimary === true
  } catch {
    return false
  }
}

async function stepDown({ address }: SetMember): Promise<void> {
  const command = { replSetStepDown: 20, force: true }
  // It may close the connection instead of responding.
  await withMember(address, (client) => client.db('admin').command(command)).catch(() => undefined)
}
