import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { api } from '#contract/api.ts'
import { productEnv } from '../chaos/run.ts'
import { waitUntilReady } from '../chaos/people.ts'
import { loopbackHosts } from './socket-address.ts'
import { createHostProcess, type HostProcess } from './host-process.ts'
import type { HostsOptions } from './options.ts'
import { createNetwork, type Network, type NetworkHost } from './network.ts'
import { writeProxyConfig } from './proxy-config.ts'
import { socketUri } from '#server/embedded-db/socket.ts'

const root = dirname(dirname(import.meta.dirname))
const serverPort = 5000
const databasePort = 27_017
/** Calls per user and minute: more than the simulated users make, but few enough to be reached. */
export const callsPerMinute = 3_000
export const serverNames = ['server1', 'server2'] as const
export const engineNames = ['engine1', 'engine2'] as const
const hostNames = ['database', ...serverNames, ...engineNames, 'proxy']

/** What the simulated users call, and the processes that faults are injected into. */
export interface Cluster {
  /** The address of the proxy. */
  url: string
  /** The addresses of the servers themselves. */
  serverUrls: string[]
  /** By name; without the database where MONGODB_URI names one. */
  processes: Map<string, HostProcess>
  /** Data folder of the first server, which holds the password of the first super admin. */
  dataDir: string
  /** Contains `db/uri`, with which a command connects to the database. */
  databaseDir: string
}

interface ClusterOptions {
  /** Must be short, because it contains a socket. */
  folder: string
  logFolder: string
  network: Network
  audioStore: HostsOptions['audioStore']
  /** MONGODB_URI; undefined for the embedded database. */
  mongodbUri: string | undefined
}

/** Starts everything, and returns once the proxy answers. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, network, audioStore } = options
  const { processes, uri, databaseDir } = await startDatabase(options)
  const [proxyHost, ...serverHosts] = [
    requireHost(network, 'proxy'),
    ...serverNames.map((name) => requireHost(network, name)),
  ]
  const url = `http://${proxyHost.address}`
  const shared = join(folder, 'shared-audio')
  mkdirSync(shared, { mode: 0o700 })

  function addService(name: string, main: string) {
    const host = requireHost(network, name)
    const dataDir = join(folder, name)
    mkdirSync(dataDir)
    if (audioStore === 'folder') symlinkSync(shared, join(dataDir, 'audio'))
    const env = {
      ...productEnv,
      RATE_CALLS_PER_MINUTE: String(callsPerMinute),
      AUDIO_STORE: audioStore,
      AWAZ_ENV_FILE: '',
      // The simulated users have no second factors.
      GATE_REQUIRES_2FA: 'false',
      HOST: '0.0.0.0',
      PORT: String(serverPort),
      PUBLIC_URL: url,
      TRUST_PROXY_HOPS: '1',
      DATA_DIR: dataDir,
      MONGODB_URI: uri,
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
    }
    const command = [process.execPath, join(root, main)]
    const untilReady = main.startsWith('server')
      ? () => untilAnswered(`http://${host.address}:${serverPort}`)
      : undefined
    const { logFolder } = options
    const service = createHostProcess({
      host,
      name,
      command,
      env,
      folder,
      logFolder,
      ...(untilReady && { untilReady }),
    })
    processes.set(name, service)
    return { start: service.start, dataDir }
  }

  const [first, second] = serverNames.map((name) => addService(name, 'server/main.ts'))
  if (!first || !second) throw new Error('There are two servers')
  await first.start()
  cpSync(join(first.dataDir, 'secrets'), join(second.dataDir, 'secrets'), { recursive: true })
  await second.start()
  for (const name of engineNames) await addService(name, 'engine/main.ts').start()
  await startProxy(options, { processes, proxyHost, serverHosts })
  await waitUntilReady(url)
  const serverUrls = serverHosts.map(({ address }) => `http://${address}:${serverPort}`)
  return { url, serverUrls, processes, dataDir: first.dataDir, databaseDir }
}

interface StartedDatabase {
  processes: Map<string, HostProcess>
  /** The address in the network. */
  uri: string
  databaseDir: string
}

/** Puts the database on the network: the embedded one on its own host, or the one at MONGODB_URI. */
async function startDatabase({ folder, logFolder, network, mongodbUri }: ClusterOptions): Promise<StartedDatabase> {
  const databaseDir = join(folder, 'database')
  mkdirSync(join(databaseDir, 'db'), { recursive: true })
  const relay = join(import.meta.dirname, 'relay.ts')
  const relayFrom = async (name: string, from: string, to: string, host?: NetworkHost) =>
    createHostProcess({
      ...(host && { host }),
      name,
      command: [process.execPath, relay, from, to],
      folder,
      logFolder,
    }).start()

  if (mongodbUri !== undefined) {
    for (const { host: local, port } of loopbackHosts(mongodbUri)) {
      const socket = join(folder, `mongo-${port}.sock`)
      await relayFrom(`relay-${port}`, socket, `${local}:${port}`)
      for (const host of network.hosts.values())
        if (host.name !== 'proxy' && host.name !== 'database')
          await relayFrom(`relay-${host.name}-${port}`, `${local}:${port}`, socket, host)
    }
    return { processes: new Map(), uri: mongodbUri, databaseDir }
  }
  const host = requireHost(network, 'database')
  const socket = join(folder, 'db.sock')
  const main = join(root, 'server/embedded-db/main.ts')
  const database = createHostProcess({
    host,
    name: 'database',
    command: [process.execPath, main, '--data', join(databaseDir, 'db', 'awaz.sqlite'), '--socket', socket],
    env: { NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
    folder,
    logFolder,
  })
  await database.start()
  await relayFrom('relay', `${host.address}:${databasePort}`, socket, host)
  writeFileSync(join(databaseDir, 'db', 'uri'), socketUri(socket))
  const uri = `mongodb://${host.address}:${databasePort}/awaz?directConnection=true`
  return { processes: new Map([['database', database]]), uri, databaseDir }
}

async function startProxy(
  { folder, logFolder }: ClusterOptions,
  {
    processes,
    proxyHost,
    serverHosts,
  }: { processes: Map<string, HostProcess>; proxyHost: NetworkHost; serverHosts: NetworkHost[] },
): Promise<void> {
  const config = await writeProxyConfig(join(folder, 'proxy'), {
    servers: serverHosts.map(({ address }) => `${address}:${serverPort}`),
  })
  const proxy = createHostProcess({
    host: proxyHost,
    name: 'proxy',
    command: ['nginx', '-e', join(logFolder, 'proxy-errors.log'), '-c', config],
    folder,
    logFolder,
    untilReady: () => untilAnswered(`http://${proxyHost.address}`),
  })
  await proxy.start()
  processes.set('proxy', proxy)
}

/** Waits until a request is served, by any process. Does not use `/readyz`, which waits for engines too. */
async function untilAnswered(url: string): Promise<void> {
  const ask = async () => (await fetch(new URL(api.system.config.path, url), { signal: AbortSignal.timeout(5_000) })).ok
  while (!(await ask().catch(() => false))) await wait(100)
}

function requireHost({ hosts }: Network, name: string): NetworkHost {
  const host = hosts.get(name)
  if (!host) throw new Error(`There is no host ${name}`)
  return host
}

/** Creates the network of a cluster. */
export function createClusterNetwork(): Network {
  return createNetwork(hostNames)
}
