import { api } from './api.ts'
import type { EndpointSpec } from './endpoint.ts'
import type { ApiKeyScope } from './entities/api-key.ts'

/**
 * The groups of endpoints that programs may call: recordings and what belongs to them. All others are for people only: accounts,
 * passwords, sessions, keys and webhooks themselves, administration.
 */
const openGroups: Record<string, EndpointSpec>[] = [
  api.keywords,
  api.audio,
  api.uploads,
  api.recordings,
  api.reportTemplates,
  api.library,
  api.batches,
  api.alerts,
  api.cases,
  api.wordLists,
  api.search,
  api.editing,
  api.review,
  api.jobs,
]
/** POST endpoints that change nothing: they only take their parameters in a body. */
const readingPosts = new Set<EndpointSpec>([api.batches.preview, api.batches.export])
const openEndpoints = new Set(openGroups.flatMap((group) => Object.values(group)))

/** Returns the scope that an API key needs for an endpoint, or null where no key is accepted. */
export function requiredApiKeyScope(spec: EndpointSpec): ApiKeyScope | null {
  if (spec.access !== 'user' || !openEndpoints.has(spec)) return null
  return spec.method === 'GET' || readingPosts.has(spec) ? 'read' : 'write'
}
