import { execFileSync } from 'node:child_process'

/** A host of the run: a network namespace with one address. */
export interface NetworkHost {
  name: string
  namespace: string
  address: string
}

/** A network of hosts, each of which can reach all others and this process. */
export interface Network {
  /** The address of this process in the network. */
  ownAddress: string
  hosts: Map<string, NetworkHost>
  /** Removes whatever is left of the network. */
  destroy(): void
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Creates a bridge, and a namespace for each name. Needs root. */
export function createNetwork(names: string[]): Network {
  // Unique, so that two runs can overlap; short, because interface names have at most 15 characters.
  const mark = process.pid.toString(36)
  const bridge = `awz${mark}`
  const prefix = `10.213.${process.pid % 250}`
  const ownAddress = `${prefix}.1`
  const hosts = new Map(
    names.map((name, index) => {
      return [name, { name, namespace: `${bridge}-${name}`, address: `${prefix}.${10 + index}` }]
    }),
  )

  function destroy() {
    for (const { namespace } of hosts.values()) ignoreFailure(() => ip('netns', 'del', namespace))
    ignoreFailure(() => ip('link', 'del', bridge))
  }

  try {
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('address', 'add', `${ownAddress}/24`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
    for (const [index, { namespace, address }] of [...hosts.values()].entries()) {
      const port = `${bridge}p${index}`
      ip('netns', 'add', namespace)
      ip('link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
      ip('link', 'set', port, 'master', bridge, 'up')
      ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0')
      ip('-n', namespace, 'link', 'set', 'eth0', 'up')
      ip('-n', namespace, 'link', 'set', 'lo', 'up')
      ip('-n', namespace, 'route', 'add', 'default', 'via', ownAddress)
    }
    return { ownAddress, hosts, destroy }
  } catch (error) {
    destroy()
    throw error
  }
}

/** Disconnects a host from its network, or reconnects it. */
export function setHostOnline({ namespace }: NetworkHost, isOnline: boolean): void {
  ip('-n', namespace, 'link', 'set', 'eth0', isOnline ? 'up' : 'down')
}

function ignoreFailure(task: () => void): void {
  try {
    task()
  } catch {
    // It does not exist.
  }
}
