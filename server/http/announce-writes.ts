import type { Context, Next } from 'koa'
import type { Activity } from '#data/activity.ts'

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns middleware that keeps the product from idling while API requests are served: a read keeps this server active, because the caller
 * may be following changes; a write wakes all processes, because it may create work for them. The request does not wait for that.
 */
export function announceWrites(activity: Pick<Activity, 'announce' | 'keepActive'>) {
  return async ({ method, path }: Context, next: Next): Promise<void> => {
    if (!readingMethods.has(method)) void activity.announce()
    else if (path.startsWith('/api/')) activity.keepActive()
    await next()
  }
}
