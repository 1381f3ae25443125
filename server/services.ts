import type { Logger } from 'pino'
import { type Activity, watchActivity } from '#data/activity.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { startBackgroundWork } from './background-work.ts'
import { buildAdministration } from './build-administration.ts'
import { buildSso } from './build-sso.ts'
import { buildWork, type Work } from './build-work.ts'
import { createDigestMails } from './features/alerts/digest-mails.ts'
import { createAlerts } from './features/alerts/service.ts'
import { createCases } from './features/cases/service.ts'
import { createBatchMails } from './features/batches/batch-mails.ts'
import { createHolds } from './features/holds/service.ts'
import { createJobMails } from './features/jobs/job-mails.ts'
import { createModels } from './features/models/service.ts'
import { createMemoryRelease } from './features/recordings/threads/memory-release.ts'
import { createTranscriptThreads } from './features/recordings/threads/transcript-threads.ts'
import { createRecordingTrail, type RecordingTrail } from './features/recordings/recording-trail.ts'
import { createRecordingAccess } from './features/recordings/recording-access.ts'
import { createNotes } from './features/notes/service.ts'
import { createReview } from './features/review/service.ts'
import { createRetention } from './features/retention/service.ts'
import { createSearch } from './features/search/service.ts'
import { ensureFirstAdmin } from './features/system/first-admin.ts'
import { startWatchFolder } from './features/watch-folder/watch-folder.ts'
import { createWordLists } from './features/word-lists/service.ts'
import { buildAccounts, type Accounts } from './build-accounts.ts'
import { createHeavyReads } from './security/heavy-reads.ts'
import type { ServiceOptions } from './service-options.ts'
import { type BatchFeeder, createBatchFeeder } from './features/batches/batch-feeder.ts'
import { type Batches, createBatches } from './features/batches/service.ts'
import { createEngineChecks } from './features/system/engine-checks.ts'
import { createHostSamples } from './features/system/metrics/host-samples.ts'
import { createMetrics } from './features/system/metrics/metrics.ts'
import { createWorkSamples } from './features/system/metrics/work-samples.ts'
import { createReadiness } from './features/system/readiness.ts'
import { createServerChecks } from './features/system/server-checks.ts'
import { createHostFacts } from './features/system/state/host-facts.ts'
import { createInstanceState } from './features/system/state/instance-state.ts'
import { createWarningMails } from './features/system/state/warning-mails.ts'
import { createWorkFacts } from './features/system/state/work-facts.ts'
import { createUpkeep } from './features/system/upkeep/upkeep.ts'
import { createRequestMetrics } from './http/request-metrics.ts'

interface BatchServices {
  batches: Batches
  batchFeeder: BatchFeeder
}

/** Builds the batch services, which run until the feeder is closed. */
function buildBatches(work: Work & { activity: Activity; trail: RecordingTrail }, log: Logger): BatchServices {
  const batchFeeder = createBatchFeeder({ ...work, log })
  const batches = createBatches({ ...work, wakeFeeder: batchFeeder.wake })
  return { batches, batchFeeder }
}

/** The dependencies of all routes, built once at startup. */
export type Services = Awaited<ReturnType<typeof buildServices>>

/** Builds the services on a connected database; creates missing secrets, indexes and the first super admin. */
export async function buildServices(options: ServiceOptions) {
  const { config, database, clock, log, probe } = options
  const accounts = await buildAccounts(options)
  const { connection } = database
  const { users } = accounts
  const activity = options.activity ?? watchActivity(connection)
  const sso = buildSso(accounts, options)
  const sessions = accounts.apiKeys.watch(accounts.sessions)
  const work = await buildWork({ config, connection, activity, sessions, isUserActive: users.isActive, probe, log })
  await ensureIndexes(connection)
  await ensureFirstAdmin({ users, log, dataDir: config.dataDir, adminEmail: config.adminEmail })
  const models = createModels({
    connection,
    modelsDir: config.modelsDir,
    isSpeechRemote: config.speechServers !== undefined,
    audit: accounts.audit,
    log,
  })
  void models.removeAbandonedUploads()
  const threads = createTranscriptThreads()
  const memory = createMemoryRelease()
  const { mailer } = accounts
  const mailDeps = { users, mailer, clock, publicUrl: config.publicUrl, hasMailServer: config.smtpUrl !== undefined }
  const alerts = createAlerts({ ...mailDeps, connection })
  const trail = createRecordingTrail({ connection, audit: accounts.audit, clock, log })
  const batches = buildBatches({ ...work, activity, trail }, log)
  const watchFolder =
    config.watchFolder &&
    (await startWatchFolder({
      ...work,
      ...config.watchFolder,
      users,
      startBatch: (ownerId, request) => batches.batches.create(ownerId, request, {}),
      log,
    }))

  const administration = buildAdministration({ ...accounts, sso }, work, options)
  const system = buildSystem(accounts, work, options)
  const stopBackgroundWork = startBackgroundWork({
    ...accounts,
    ...administration,
    ...system,
    connection,
    activity,
    clock,
    log,
    hasMailServer: mailDeps.hasMailServer,
    jobMails: createJobMails({ ...mailDeps, queue: work.queue }),
    batchMails: createBatchMails({ ...mailDeps, connection }),
    digestMails: createDigestMails({ ...mailDeps, connection, alerts }),
    invitationMails: accounts.invitations.mailQueue,
  })

  return {
    config,
    database,
    clock,
    log,
    activity,
    ...accounts,
    ...administration,
    sso,
    work,
    ...batches,
    alerts,
    notes: createNotes({ connection }),
    review: createReview(work.queue),
    search: createSearch({ connection }),
    trail,
    recordingAccess: createRecordingAccess({ connection, trail }),
    cases: createCases({ ...mailDeps, ...accounts, connection }),
    holds: createHolds({ ...accounts, queue: work.queue, clock }),
    retention: createRetention({ ...accounts, connection, retentionDays: config.retentionDays }),
    wordLists: createWordLists({ ...accounts, connection }),
    threads,
    memory,
    heavyReads: createHeavyReads({ onBusy: memory.cancel, onQuiet: memory.schedule }),
    models,
    ...system,
    async close() {
      await stopBackgroundWork()
      await system.upkeep.close()
      await watchFolder?.close()
      await batches.batchFeeder.close()
      await accounts.webhooks.close()
      await work.close()
      await accounts.mailer.close()
      await accounts.hasher.close()
      memory.cancel()
      await threads.close()
      await accounts.twoFactor.close()
      if (!options.activity) activity.close()
    },
  }
}

/** Builds the monitoring of the instance: readiness, metrics, state for administrators, mails about what needs attention, and upkeep. */
function buildSystem(
  accounts: Accounts,
  { queue, audioStore }: Pick<Work, 'queue' | 'audioStore'>,
  { config, clock, log, commandEnv = process.env }: ServiceOptions,
) {
  const { connection } = queue
  const checks = {
    ...createServerChecks({
      ...accounts,
      config,
      connection,
      audioStore,
      facts: createSystemFactRepository(connection),
    }),
    ...createEngineChecks(connection),
  }
  // Without the mail server, everyone can continue to work, and mails wait in the outbox.
  const readiness = createReadiness(checks, { shownOnly: ['mail'] })
  const readHost = createHostFacts({ config, connection, clock, events: createAuditEventRepository(connection) })
  const readWork = createWorkFacts(queue)
  const requestMetrics = createRequestMetrics()
  const metrics = createMetrics({
    requests: requestMetrics.registry,
    readiness,
    readWork: createWorkSamples(queue, readWork),
    readHost: createHostSamples(readHost),
  })
  const upkeep = createUpkeep({ config, connection, clock, log, env: commandEnv })
  const { listIssues } = upkeep.checks
  const instanceState = createInstanceState({ config, connection, readiness, readHost, readWork, listIssues, clock })
  const warningMails = createWarningMails({
    ...accounts,
    connection,
    readWarnings: instanceState.readWarnings,
    clock,
    publicUrl: config.publicUrl,
    hasMailServer: config.smtpUrl !== undefined,
  })
  return { readiness, requestMetrics, metrics, instanceState, warningMails, upkeep }
}
