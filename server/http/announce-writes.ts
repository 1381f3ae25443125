import type { Context, Next } from 'koa'
import type { Activity } from '#data/activity.ts'

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns what ends the rest of the product before a request to the API is served: of this server where it reads, since what it reads may be
 * followed; of all processes where it writes, since what it writes may be work for them. The request does not wait for that.
 */
export function announceWrites(activity: Pick<Activity, 'announce' | 'keepActive'>) {
  return async ({ method, path }: Context, next: Next): Promise<void> => {
    if (!readingMethods.has(method)) void activity.announce()
    else if (path.startsWith('/api/')) activity.keepActive()
    await next()
  }
}
