import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findFreePort } from '#testing/free-port.ts'
import { startStack, type Stack } from '#testing/stack.ts'
import { makeSharedCall, type SharedCall } from './shared-call.ts'
import type { StackFacts } from './stack-users.ts'

/**
 * Open: two-factor is not required, and it has the demo models. Guarded: two-factor is required, the address is localhost, because
 * passkeys need a host name, and it is offline with a separate model folder, which is empty at first.
 */
export type SharedStackKind = 'open' | 'guarded'

/** All browsers of all test files share one address and one database: the limits per user and address would only get in the way. */
const generousLimits = {
  RATE_SIGNIN_PER_MINUTE: '100000',
  RATE_SIGNUP_PER_HOUR: '100000',
  RATE_MAIL_PER_HOUR: '100000',
  RATE_CALLS_PER_MINUTE: '1000000',
  // Tests sign in often, and none of them depends on the cost of a hash.
  BCRYPT_COST: '10',
}
const compileCache = join(dirname(dirname(import.meta.dirname)), 'node_modules/.awaz/compile-cache')

/** Starts what the test files request, once, at the first request, and provides the address for these requests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const modelsDir = await mkdtemp(join(tmpdir(), 'awaz-models-'))
  const started: Promise<Stack>[] = []
  const stacks = {
    open: once(async () => {
      const port = String(await findFreePort())
      return start({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` })
    }),
    guarded: once(async () => {
      const port = String(await findFreePort())
      const models = { MODELS_DIR: join(modelsDir, 'models'), OFFLINE: 'true' }
      return start({ ...models, PORT: port, PUBLIC_URL: `http://localhost:${port}`, GATE_REQUIRES_2FA: 'true' })
    }),
  } satisfies Record<SharedStackKind, () => Promise<Stack>>
  const call = once(async () => makeSharedCall(toFacts(await stacks.open())))

  function start(env: NodeJS.ProcessEnv) {
    const stack = startStack({ ...generousLimits, NODE_COMPILE_CACHE: compileCache, ...env })
    started.push(stack)
    return stack
  }

  async function answer(path: string | undefined): Promise<StackFacts | SharedCall> {
    if (path === '/open' || path === '/guarded') return toFacts(await stacks[path === '/open' ? 'open' : 'guarded']())
    if (path === '/call') return call()
    throw new Error(`Nothing is shared at ${path}`)
  }

  const server = createServer((request, response) => {
    answer(request.url).then(
      (body) => response.end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a TCP port
  project.provide('stackHost', `http://127.0.0.1:${port}`)

  return async () => {
    server.close()
    server.closeAllConnections()
    const running = await Promise.allSettled(started)
    await Promise.all(running.map((stack) => stack.status === 'fulfilled' && stack.value.stop()))
    await rm(modelsDir, { recursive: true, force: true })
  }
}

function toFacts({ url, dataDir, admin }: Stack): StackFacts {
  return { url, dataDir, admin }
}

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined
  return () => (made ??= make())
}
