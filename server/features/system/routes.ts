import type { Logger } from 'pino'
import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { transcriptionLanguages, translationLanguages } from '#contract/languages.ts'
import type { Config } from '#data/config.ts'
import { isProbeToken } from '#data/health/address-probe.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { readLibraryCheck } from '#data/library/library-checks.ts'
import { readFfmpegVersion } from '#data/audio-probe/ffmpeg-version.ts'
import { version } from '#data/version.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import { readFeatures } from '#data/engines/engines.ts'
import { readDatabaseVersion } from '#data/deployment.ts'
import { findRevision } from '#data/revision.ts'
import type { SignInSettingsService } from '../sign-in-settings/service.ts'
import type { Providers } from '../sso/providers.ts'
import { streamProbe } from './address-probe.ts'
import { readDocument } from './documents.ts'
import { assertCanReadMetrics } from './metrics/metrics-access.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Readiness } from './readiness.ts'
import { keepFor } from './state/keep-for.ts'
import type { createInstanceState } from './state/instance-state.ts'
import { readSystemStatus } from './system-status.ts'

/** While no engine is live, nothing is known and therefore nothing is ruled out: the engine that claims a job decides. */
const unknownFeatures: EngineFeatures = {
  speech: null,
  translation: null,
  transcription: [...transcriptionLanguages],
  translation_sources: Object.keys(translationLanguages),
  translation_targets: Object.keys(translationLanguages),
  diarization: true,
  language_detection: true,
  models: [],
  speech_models: [],
}

/** Returns what the live engines can do between them; everything while none is live or the database is unavailable. */
async function describeFeatures(connection: DatabaseConnection, log: Logger): Promise<EngineFeatures> {
  try {
    return (await readFeatures(connection)) ?? unknownFeatures
  } catch (err) {
    log.warn({ err }, 'what the engines can do is not known')
    return unknownFeatures
  }
}

/** MongoDB may be upgraded while this server is running. */
const softwareMaxAgeMs = 60_000

/** Describes the software this server runs, including its database. */
async function describeSoftware(connection: DatabaseConnection) {
  const [revision, database, ffmpeg] = await Promise.all([
    findRevision(),
    readDatabaseVersion(connection),
    readFfmpegVersion(),
  ])
  return {
    version,
    revision,
    components: [
      { name: 'Node.js', version: process.versions.node },
      { name: 'ffmpeg', version: ffmpeg },
    ],
    database: { is_embedded: database.isEmbedded, version: database.version },
  }
}

interface SystemDeps {
  config: Pick<
    Config,
    | 'dataDir'
    | 'gateRequiresVerified'
    | 'maxUploadBytes'
    | 'metricsToken'
    | 'retentionDays'
    | 'signinRequiresVerified'
    | 'smtpUrl'
    | 'trustProxyHops'
  >
  signInSettings: Pick<SignInSettingsService, 'current'>
  sso: { providers: Pick<Providers, 'listOffered'> }
  readiness: Readiness
  metrics: Metrics
  instanceState: Pick<ReturnType<typeof createInstanceState>, 'read'>
  work: { queue: Queue }
}

export function mountSystem(router: AppRouter, deps: SystemDeps): void {
  const { config, signInSettings, sso, readiness, metrics, instanceState, work } = deps
  const readSoftware = keepFor(softwareMaxAgeMs, () => describeSoftware(work.queue.connection))
  route(router, api.system.health, async () => ({ status: 'ok' as const }), { isUncounted: true })

  route(
    router,
    api.system.ready,
    async ({ ctx }) => {
      const result = await readiness.run()
      ctx.status = result.status === 'ready' ? 200 : 503
      return result
    },
    { isUncounted: true },
  )

  route(
    router,
    api.system.metrics,
    async ({ ctx }) => {
      assertCanReadMetrics(ctx, config.metricsToken)
      const body = await metrics.read()
      ctx.status = 200
      ctx.set({ 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' })
      ctx.body = body
    },
    { isUncounted: true },
  )

  route(router, api.system.config, async () => {
    const { registration, registration_domains, two_factor_policy } = await signInSettings.current()
    return {
      signin_requires_verified: config.signinRequiresVerified,
      gate_requires_verified: config.gateRequiresVerified,
      gate_requires_2fa: two_factor_policy === 'everybody',
      is_smtp_configured: config.smtpUrl !== undefined,
      registration,
      registration_domains,
      sign_in_providers: await sso.providers.listOffered(),
      max_upload_bytes: config.maxUploadBytes,
      retention_days: config.retentionDays,
      version,
    }
  })

  route(router, api.system.document, async ({ params, log }) => ({
    markdown: await readDocument(config.dataDir, params.name, log),
  }))

  route(router, api.system.status, async () => {
    const [status, mail, library, software] = await Promise.all([
      readSystemStatus(work.queue),
      readiness.check('mail'),
      readLibraryCheck(work.queue.connection),
      readSoftware(),
    ])
    return { ...software, ...status, mail: { ok: mail.ok, message: mail.message }, library }
  })

  route(router, api.system.state, () => instanceState.read())

  route(router, api.system.probe, async ({ params, ctx }) => {
    if (!(await isProbeToken(work.queue.connection, params.token))) throw new AppError('not_found', 'Unknown token')
    streamProbe(ctx, config)
  })

  route(router, api.system.languages, async ({ log }) => {
    const features = await describeFeatures(work.queue.connection, log)
    return {
      translation_languages: namesOf(Object.keys(translationLanguages)),
      transcription_languages: namesOf(transcriptionLanguages),
      transcription_models: features.speech_models,
      features,
    }
  })
}

function namesOf(codes: readonly string[]): Record<string, string> {
  const known: Record<string, { name: string }> = translationLanguages
  return Object.fromEntries(codes.map((code) => [code, known[code]?.name ?? code]))
}
