import { api } from '#contract/api.ts'
import { transcriptionLanguages, translationLanguages } from '#contract/languages.ts'
import { readActiveModels, type CatalogModel } from '#data/models-catalog.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import { readFeatures } from '#data/engines/engines.ts'
import { version } from '#data/version.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Services } from '#server/services.ts'
import { readDocument } from './documents.ts'
import { addModelCheck } from './model-check.ts'
import { addReadinessChecks } from './readiness-checks.ts'
import { readSystemStatus } from './system-status.ts'

/** 100 MiB: audio-workflow specification, section 5. */
const maxUploadBytes = 104_857_600

export function mountSystem(router: AppRouter, services: Services): void {
  const { config, readiness } = services
  addReadinessChecks(services)
  addModelCheck(services)

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

  route(router, api.system.config, async () => ({
    signin_requires_verified: config.signinRequiresVerified,
    gate_requires_verified: config.gateRequiresVerified,
    gate_requires_2fa: config.gateRequires2fa,
    is_smtp_configured: config.smtpUrl !== undefined,
    registration: config.registration,
    registration_domains: config.registrationDomains,
    max_upload_bytes: maxUploadBytes,
    retention_days: config.retentionDays,
    version,
  }))

  route(router, api.system.document, async ({ params, log }) => ({
    markdown: await readDocument(config.dataDir, params.name, log),
  }))

  route(router, api.system.status, async () => ({
    version,
    ...(await readSystemStatus(services.work.queue)),
  }))

  route(router, api.system.languages, async () => {
    return {
      translation_languages: namesOf(Object.keys(translationLanguages)),
      transcription_languages: namesOf(transcriptionLanguages),
      features: (await readLiveFeatures(services)) ?? (await readConfiguredFeatures(config)),
    }
  })
}

/** What the engines can do that run; null while none runs or the database is away. */
async function readLiveFeatures({ database, log }: Services): Promise<EngineFeatures | null> {
  try {
    return await readFeatures(database.connection)
  } catch (err) {
    log.warn({ err }, 'what the engines can do is not known')
    return null
  }
}

/** What an engine with the configuration of this server can do. */
async function readConfiguredFeatures(config: Services['config']): Promise<EngineFeatures> {
  const { speech, speechByLanguage, translation } = await readActiveModels(config)
  const heard = new Set([...(speech?.languages ?? []), ...Object.keys(speechByLanguage)])
  return {
    speech: present(speech),
    translation: present(translation),
    transcription: transcriptionLanguages.filter((code) => heard.has(code)),
    translation_sources: translation?.languages ?? [],
    translation_targets: translation?.languages ?? [],
    diarization: speech !== undefined,
    language_detection: speech !== undefined,
    models: [],
  }
}

function namesOf(codes: readonly string[]): Record<string, string> {
  const known: Record<string, { name: string }> = translationLanguages
  return Object.fromEntries(codes.map((code) => [code, known[code]?.name ?? code]))
}

function present(model: CatalogModel | undefined) {
  return model ? { id: model.id, name: model.name, is_demo: model.isDemo, languages: model.languages } : null
}
