import { dirname, join } from 'node:path'
import { Router } from '@koa/router'
import Koa, { type Context, type Next } from 'koa'
import { AppError } from '#contract/app-error.ts'
import { mountAdminLists } from './features/admin/routes-lists.ts'
import { mountEmailChanges } from './features/admin/routes-email-changes.ts'
import { mountAdmin } from './features/admin/routes.ts'
import { mountAlerts } from './features/alerts/routes.ts'
import { mountApiKeys } from './features/api-keys/routes.ts'
import { isApiKeyToken } from './features/api-keys/token.ts'
import { enforceOpenLibrary } from './features/closed-library/gate.ts'
import { mountResumableUploads } from './features/audio/resumable-routes.ts'
import { mountAudio } from './features/audio/routes.ts'
import { mountAudit } from './features/audit/routes.ts'
import { enforceGate } from './features/auth/gate.ts'
import { mountRegistration } from './features/auth/routes-registration.ts'
import { mountSignIn } from './features/auth/routes-sign-in.ts'
import { mountCases } from './features/cases/routes.ts'
import { mountArchive } from './features/batches/archive/routes.ts'
import { mountBatches } from './features/batches/routes.ts'
import { mountClosedLibrary } from './features/closed-library/routes.ts'
import { mountDocs } from './features/docs/routes.ts'
import { mountHolds } from './features/holds/routes.ts'
import { mountInvitations } from './features/invitations/routes.ts'
import { mountJobs } from './features/jobs/routes.ts'
import { mountKeywords } from './features/keywords/routes.ts'
import { mountLibrary } from './features/library/routes.ts'
import { mountMail } from './features/mail/routes.ts'
import { mountModels } from './features/models/routes.ts'
import { mountNotes } from './features/notes/routes.ts'
import { mountReportTemplates } from './features/report-templates/routes.ts'
import { mountRetention } from './features/retention/routes.ts'
import { mountReview } from './features/review/routes.ts'
import { mountPasskeys } from './features/passkeys/routes.ts'
import { mountProfile } from './features/profile/routes.ts'
import { mountActivity } from './features/recordings/activity-routes.ts'
import { mountLines } from './features/recordings/line-routes.ts'
import { mountClip } from './features/recordings/clip.ts'
import { mountPeaks } from './features/recordings/peaks.ts'
import { mountSpectrogram } from './features/recordings/spectrogram.ts'
import { mountRecordings } from './features/recordings/routes.ts'
import { mountSearch } from './features/search/routes.ts'
import { assertRecentConfirmation } from './features/sessions/recent-password.ts'
import { mountSessions } from './features/sessions/routes.ts'
import { mountSignInSettings } from './features/sign-in-settings/routes.ts'
import { mountSso } from './features/sso/routes.ts'
import { mountSuperAdmin } from './features/super-admin/routes.ts'
import { mountSystem } from './features/system/routes.ts'
import { mountUpkeep } from './features/system/upkeep/routes.ts'
import { mountRegistrationTwoFactor } from './features/two-factor/routes-registration.ts'
import { mountTwoFactor } from './features/two-factor/routes.ts'
import { mountWordLists } from './features/word-lists/routes.ts'
import { mountWatchFolder } from './features/watch-folder/routes.ts'
import { mountWebhooks } from './features/webhooks/routes.ts'
import { handleErrors } from './http/error-handler.ts'
import { announceWrites } from './http/announce-writes.ts'
import { limitConcurrentRequests } from './http/connection-limit.ts'
import type { AppRouter, Guards, RequestState } from './http/context.ts'
import { beginRequest } from './http/request-log.ts'
import { securityHeaders } from './http/security-headers.ts'
import { staticFiles } from './http/static-files.ts'
import type { Services } from './services.ts'

const webRoot = join(dirname(import.meta.dirname), 'web', 'dist')
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Returns the whole HTTP application: every endpoint of the contract and the web app. */
export function createApp(services: Services): Koa<RequestState> {
  const { config, log } = services
  const app = new Koa<RequestState>({ proxy: config.trustProxyHops > 0, maxIpsCount: config.trustProxyHops })
  // Failures after the headers were sent, such as a client disconnecting mid-stream. Without a listener, Koa prints them.
  app.on('error', (error: unknown) => log.debug({ err: error }, 'response aborted'))
  const { requestMetrics: metrics } = services
  app.use(beginRequest({ log, guards: createGuards(services), metrics, trustProxyHops: config.trustProxyHops }))
  app.use(securityHeaders(config))
  app.use(handleErrors)
  app.use(announceWrites(services.activity))
  if (config.trustProxyHops > 0) app.use(limitConcurrentRequests(config.http.maxConnectionsPerAddress))
  app.use(staticFiles({ root: webRoot, apiOrigin: config.apiOrigin, texts: services.interfaceTexts }))
  const router: AppRouter = new Router<RequestState>()
  mountAll(router, services)
  app.use(rejectUnknownPaths())
  app.use(router.routes())
  app.use(router.allowedMethods({ throw: true }))
  return app
}

function rejectUnknownPaths() {
  return async (ctx: Context, next: Next): Promise<void> => {
    await next()
    if (ctx.status === 404 && !ctx.body) throw new AppError('not_found', 'There is nothing at this address.')
  }
}

/** Mounts the features in order: see docs/architecture.md. */
function mountAll(router: AppRouter, services: Services): void {
  const { work, recordingAccess, trail, cookies, limiter, config } = services
  const countUpload = (userId: string) =>
    limiter.count({ name: 'upload', key: userId, limit: config.rates.uploadPerHour, windowMs: hourMs })
  mountAudit(router, services)
  mountMail(router, services)
  mountSignInSettings(router, services)
  mountSessions(router, services)
  mountTwoFactor(router, services)
  mountClosedLibrary(router, services)
  mountApiKeys(router, services)
  mountWebhooks(router, services)
  mountRegistrationTwoFactor(router, services)
  mountSignIn(router, { ...services, findSignOutAddress: services.sso.oidcSignOut.findSignOutAddress })
  mountRegistration(router, services)
  mountPasskeys(router, services)
  mountSso(router, services)
  mountInvitations(router, services)
  mountProfile(router, services)
  mountKeywords(router, services)
  mountDocs(router, services)
  const { keywords, threads, interfaceTexts } = services
  mountRecordings(router, { ...work, recordingAccess, trail, keywords, threads, interfaceTexts })
  mountReportTemplates(router, work)
  mountActivity(router, { connection: work.connection, audit: services.audit })
  mountPeaks(router, { ...work, recordingAccess })
  mountSpectrogram(router, { ...work, recordingAccess })
  mountClip(router, { ...work, recordingAccess })
  mountLines(router, { ...work, recordingAccess })
  mountLibrary(router, { ...work, trail })
  mountNotes(router, services)
  mountReview(router, services)
  mountCases(router, { ...services, ...work })
  mountHolds(router, { ...services, queue: work.queue })
  mountRetention(router, services)
  mountWordLists(router, services)
  mountAudio(router, { ...work, recordingAccess, trail, readAudioCookie: cookies.readAudio, countUpload })
  mountResumableUploads(router, { ...work, trail, countUpload })
  mountJobs(router, { ...work, trail })
  mountBatches(router, { connection: work.connection, batches: services.batches })
  mountArchive(router, { ...services, queue: work.queue })
  mountAlerts(router, services)
  mountSearch(router, services)
  mountWatchFolder(router, services)
  mountModels(router, services)
  mountAdmin(router, services)
  mountAdminLists(router, services)
  mountEmailChanges(router, services)
  mountSuperAdmin(router, services)
  mountSystem(router, services)
  mountUpkeep(router, services)
}

function createGuards({ sessions, apiKeys, limiter, heavyReads, audit, clock, config }: Services): Guards {
  const countCall = (key: string) =>
    limiter.countInSteps({ name: 'calls', key, limit: config.rates.callsPerMinute, windowMs: minuteMs })
  return {
    async authenticate(token, audience, origin) {
      if (!isApiKeyToken(token)) return sessions.authenticate(token, audience)
      if (audience !== 'api') return undefined
      const principal = await apiKeys.authenticate(token, origin)
      // Unlike an invalid access token, each invalid key costs a query.
      if (!principal) countCall(`ip:${origin.ip}`)
      return principal
    },
    countCall,
    admitHeavyRead: heavyReads.admit,
    enforceGate(user, spec) {
      enforceGate(user, spec, config)
      enforceOpenLibrary(user, spec)
    },
    requireConfirmation: (session) => assertRecentConfirmation(session, clock),
    recordDenial: (user, spec, origin) =>
      audit.record(
        { action: 'access.denied', outcome: 'denied', actor: user, details: `${spec.method} ${spec.path}` },
        origin,
      ),
  }
}
