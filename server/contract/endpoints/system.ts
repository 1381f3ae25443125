import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { ComponentVersion, Engine } from '../entities/engine.ts'
import { InstanceState } from '../entities/instance-state.ts'
import { LibraryCheck } from '../entities/library-check.ts'
import { ModelHealth } from '../entities/model-health.ts'
import { RemoteServerStatus } from '../entities/speech-server.ts'
import { InstalledSpeechModel } from '../versions.ts'
import { config } from './config.ts'

/** A model in use, as presented to people. */
const ActiveModel = z.object({ id: z.string(), name: z.string(), is_demo: z.boolean(), languages: z.array(z.string()) })

/** Whether a dependency of the server works, with a short description. */
const CheckResult = z.object({ ok: z.boolean(), message: z.string() })

/** The information pages. An operator can replace each built-in text with a `<name>.md` in the data folder. */
const DocumentName = z.enum(['terms', 'privacy', 'support'])
export type DocumentName = z.infer<typeof DocumentName>

/** How a request from `awaz doctor` arrived at this server. */
export const AddressProbe = z.object({
  /** The number of addresses in X-Forwarded-For: each proxy on the way adds one. */
  forwarded_addresses: z.int().nonnegative(),
  /** TRUST_PROXY_HOPS. */
  trusted_hops: z.int().nonnegative(),
})
export type AddressProbe = z.infer<typeof AddressProbe>

export const system = {
  config,
  languages: endpoint({
    method: 'GET',
    path: '/api/languages',
    access: 'public',
    summary: 'Languages by code, and what the active models support',
    response: z.object({
      translation_languages: z.record(z.string(), z.string()),
      transcription_languages: z.record(z.string(), z.string()),
      /** The speech models to choose from; empty while no engine is live. */
      transcription_models: z.array(InstalledSpeechModel),
      features: z.object({
        speech: ActiveModel.nullable(),
        translation: ActiveModel.nullable(),
        /** Language codes that the models in use handle; while no engine is live, all codes that the product supports. */
        transcription: z.array(z.string()),
        translation_sources: z.array(z.string()),
        translation_targets: z.array(z.string()),
        diarization: z.boolean(),
        language_detection: z.boolean(),
        /** Every model in use, including broken ones; empty while no engine is live. */
        models: z.array(ModelHealth).default([]),
      }),
    }),
    errors: [],
  }),
  document: endpoint({
    method: 'GET',
    path: '/api/documents/:name',
    access: 'public',
    summary: "The operator's text of an information page; null when the built-in text applies",
    params: z.object({ name: DocumentName }),
    response: z.object({ markdown: z.string().nullable() }),
    errors: [],
  }),
  status: endpoint({
    method: 'GET',
    path: '/api/system',
    access: 'admin',
    summary:
      'Running engines, the servers they use, the number of jobs, mail, the last check of the library, and versions of what each process works with',
    response: z.object({
      version: z.string(),
      /** The abbreviated commit that this server runs; null when unknown. */
      revision: z.string().nullable(),
      /** The programs and libraries that this server uses. */
      components: z.array(ComponentVersion),
      database: z.object({
        is_embedded: z.boolean(),
        /** The version of MongoDB, or of the SQLite underlying the embedded database. */
        version: z.string(),
      }),
      queued_jobs: z.int().nonnegative(),
      running_jobs: z.int().nonnegative(),
      /** Oldest first. */
      engines: z.array(Engine),
      /** By address; the figures combine all engines. */
      speech_servers: z.array(RemoteServerStatus),
      translation_servers: z.array(RemoteServerStatus),
      mail: CheckResult,
      /** The last check of the data derived from recordings; null before the first. */
      library: LibraryCheck.nullable(),
    }),
    errors: [],
  }),
  state: endpoint({
    method: 'GET',
    path: '/api/system/state',
    access: 'admin',
    summary: 'Queue, database, disks, backups and certificate of the instance, and what of it needs attention',
    response: InstanceState,
    errors: [],
  }),
  probe: endpoint({
    method: 'GET',
    path: '/api/probe/:token',
    access: 'public',
    summary:
      'For awaz doctor: one server-sent event about how the request arrived, and the end of the stream a second later. The token is in the database for a minute',
    params: z.object({ token: z.string().regex(/^[0-9a-f]{48}$/, 'Not a token of awaz doctor') }),
    response: AddressProbe,
    transport: 'events',
    errors: ['not_found'],
  }),
  metrics: endpoint({
    method: 'GET',
    path: '/metrics',
    access: 'public',
    summary:
      'Metrics in the format of Prometheus: with METRICS_TOKEN as bearer token, or where it is unset from this machine (docs/monitoring.md)',
    response: z.string(),
    transport: 'file',
    errors: ['forbidden'],
  }),
  health: endpoint({
    method: 'GET',
    path: '/healthz',
    access: 'public',
    summary: 'Liveness: 200 while the process runs; checks nothing else',
    response: z.object({ status: z.literal('ok') }),
    errors: [],
  }),
  ready: endpoint({
    method: 'GET',
    path: '/readyz',
    access: 'public',
    summary:
      'Readiness: 200 when database, audio store, engine and model servers work; otherwise 503, also while data is migrated. A failed check of mail is told only',
    response: z.object({
      /** `migrating`: data of an earlier version is being converted for this one, which is a separate check. */
      status: z.enum(['ready', 'migrating', 'not_ready']),
      checks: z.record(z.string(), CheckResult),
    }),
    errors: [],
  }),
}
