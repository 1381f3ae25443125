import { activity } from './endpoints/activity.ts'
import { admin, superAdmin } from './endpoints/admin.ts'
import { alerts } from './endpoints/alerts.ts'
import { audio } from './endpoints/audio.ts'
import { auth } from './endpoints/auth.ts'
import { batches } from './endpoints/batches.ts'
import { cases } from './endpoints/cases.ts'
import { editing } from './endpoints/editing.ts'
import { holds } from './endpoints/holds.ts'
import { integrations } from './endpoints/integrations.ts'
import { invitations } from './endpoints/invitations.ts'
import { keywords } from './endpoints/keywords.ts'
import { library } from './endpoints/library.ts'
import { models } from './endpoints/models.ts'
import { passkeys } from './endpoints/passkeys.ts'
import { profile } from './endpoints/profile.ts'
import { recovery } from './endpoints/recovery.ts'
import { jobs, recordings } from './endpoints/recordings.ts'
import { reportTemplates } from './endpoints/report-templates.ts'
import { retention } from './endpoints/retention.ts'
import { review } from './endpoints/review.ts'
import { search } from './endpoints/search.ts'
import { signInAdmin, sso } from './endpoints/sso.ts'
import { system } from './endpoints/system.ts'
import { uploads } from './endpoints/uploads.ts'
import { upkeep } from './endpoints/upkeep.ts'
import { watchFolder } from './endpoints/watch-folder.ts'
import { wordLists } from './endpoints/word-lists.ts'
import type { EndpointSpec } from './endpoint.ts'

/** Every endpoint of the product. The server, the web client, the API page and the coverage test of the api suite read this table. */
export const api = {
  auth,
  profile,
  admin,
  superAdmin,
  recovery,
  invitations,
  passkeys,
  sso,
  signInAdmin,
  keywords,
  audio,
  uploads,
  recordings,
  reportTemplates,
  library,
  batches,
  alerts,
  cases,
  holds,
  activity,
  retention,
  wordLists,
  editing,
  review,
  integrations,
  jobs,
  search,
  watchFolder,
  system,
  upkeep,
  models,
}

/** Returns the table as a flat list of `group.name` and endpoint. */
export function listEndpoints(): { name: string; spec: EndpointSpec }[] {
  return Object.entries(api).flatMap(([group, endpoints]) =>
    Object.entries(endpoints).map(([name, spec]) => ({ name: `${group}.${name}`, spec })),
  )
}
