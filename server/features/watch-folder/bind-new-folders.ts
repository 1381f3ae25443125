import type { Logger } from 'pino'
import type { WatchFolderRecord } from '#data/watch-folders/watch-folders.ts'
import { bindFolder, type BindingDeps } from './bindings.ts'
import { describeFailure } from './describe-failure.ts'
import { isDecodable, keyOf, type PathComponents } from './names.ts'
import type { ScanProblem } from './scan.ts'

/** Each look-up of a name that nothing has goes through cases: the time between two doubles up to this many times the first. */
const maxBackOff = 8

interface BinderOptions {
  /** Ends the binding of many folders. */
  signal: AbortSignal
  /** After this long, a folder that could not be bound is looked up again; later more rarely. */
  retryMs: number
  /** In milliseconds, of a clock that is never set back. */
  now?: () => number
  /** Called for a folder that is bound, or bound to another recipient, since the last time. */
  onBound: (path: PathComponents) => void
}

/** Creates what binds the folders in the watched one when they are first seen, and remembers why some cannot be bound. */
export function createFolderBinder(
  deps: BindingDeps & { log: Logger },
  { signal, retryMs, now = () => performance.now(), onBound }: BinderOptions,
) {
  const unbound = new Map<string, ScanProblem & { attempts: number; retryAt: number }>()
  /** Ids of recipients. */
  const bound = new Map<string, string>()

  /** @param known the folders as they are stored */
  async function bindAll(names: Buffer[], known: WatchFolderRecord[]): Promise<void> {
    const stored = new Map(known.map(({ name, recipient }) => [name, recipient?.id]))
    for (const name of names) {
      signal.throwIfAborted()
      await bindOne(name, isDecodable(name) ? stored.get(name.toString('utf8')) : undefined)
    }
    const present = new Set(names.map((name) => keyOf([name])))
    for (const map of [unbound, bound]) for (const key of map.keys()) if (!present.has(key)) map.delete(key)
  }

  async function bindOne(name: Buffer, storedId: string | undefined): Promise<void> {
    const path = [name]
    const key = keyOf(path)
    const last = unbound.get(key)
    if (!storedId && last && now() < last.retryAt) return
    try {
      const id = storedId ?? (await bindFolder(deps, name)).id
      if (!storedId) deps.log.info({ recipientId: id }, 'a folder of the watch folder is bound from now on')
      unbound.delete(key)
      if (bound.get(key) !== id) onBound(path)
      bound.set(key, id)
    } catch (error) {
      const attempts = (last?.attempts ?? 0) + 1
      const retryAt = now() + retryMs * Math.min(maxBackOff, 2 ** (attempts - 1))
      unbound.set(key, { path, reason: describeFailure(error), attempts, retryAt })
    }
  }

  return {
    bindAll,
    /** Returns why folders are bound to nothing. */
    listProblems: (): ScanProblem[] => [...unbound.values()],
    /** Returns whether a problem of something below is that its folder is bound to nothing. */
    isKnownProblem: ({ path, reason }: ScanProblem) => unbound.get(keyOf(path.slice(0, 1)))?.reason === reason,
  }
}
