import { ensureIndexes } from '#data/indexes.ts'
import { sampleWork } from '#data/work-hours/work-hours.ts'
import { buildAdministration, startEmailChanges } from './build-administration.ts'
import { buildBatches } from './build-batches.ts'
import { buildSso } from './build-sso.ts'
import { buildSystem } from './build-system.ts'
import { buildWork } from './build-work.ts'
import { createDigestMails } from './features/alerts/digest-mails.ts'
import { createAlerts } from './features/alerts/service.ts'
import { createCases } from './features/cases/service.ts'
import { createBatchMails } from './features/batches/batch-mails.ts'
import { createHolds } from './features/holds/service.ts'
import { createJobMails } from './features/jobs/job-mails.ts'
import { createModels } from './features/models/service.ts'
import { createMemoryRelease } from './features/recordings/threads/memory-release.ts'
import { createTranscriptThreads } from './features/recordings/threads/transcript-threads.ts'
import { createRecordingTrail } from './features/recordings/recording-trail.ts'
import { createRecordingAccess } from './features/recordings/recording-access.ts'
import { createNotes } from './features/notes/service.ts'
import { createReview } from './features/review/service.ts'
import { createRetention } from './features/retention/service.ts'
import { createSearch } from './features/search/service.ts'
import { ensureFirstAdmin } from './features/system/first-admin.ts'
import { startWatchFolder } from './features/watch-folder/watch-folder.ts'
import { createWordLists } from './features/word-lists/service.ts'
import { buildAccounts } from './build-accounts.ts'
import { createHeavyReads } from './security/heavy-reads.ts'
import type { ServiceOptions } from './service-options.ts'

/** Most warnings are about hours and days; a warning is reported when two checks in a row found it. */
const warningCheckMs = 5 * 60_000
/** An hour shows the most of its samples. */
const workSampleMs = 5 * 60_000

/** The dependencies of all routes, built once at start. */
export type Services = Awaited<ReturnType<typeof buildServices>>

/** Builds the services on a connected database; creates missing secrets, indexes and the first super admin. */
export async function buildServices(options: ServiceOptions) {
  const { config, database, clock, log, probe } = options
  const accounts = await buildAccounts(options)
  const { connection } = database
  const { users } = accounts
  const sso = buildSso(accounts, options)
  const sessions = accounts.apiKeys.watch(accounts.sessions)
  const work = await buildWork({ config, connection, sessions, isUserActive: users.isActive, probe, log })
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
  const outboxCleanupTimer = setInterval(
    () => void accounts.outbox.removeExpired().catch(() => undefined),
    60_000,
  ).unref()
  const { mailer } = accounts
  const mailDeps = { users, mailer, clock, publicUrl: config.publicUrl, hasMailServer: config.smtpUrl !== undefined }
  const jobMails = createJobMails({ ...mailDeps, queue: work.queue })
  const batchMails = createBatchMails({ ...mailDeps, connection })
  const alerts = createAlerts({ ...mailDeps, connection })
  const digestMails = createDigestMails({ ...mailDeps, connection, alerts })
  const jobMailTimer = setInterval(
    () =>
      void Promise.all([jobMails.sendDue(), batchMails.sendDue(), digestMails.sendDue()]).catch((err: unknown) =>
        log.warn({ err }, 'mails about jobs could not be sent'),
      ),
    15_000,
  ).unref()
  const mailRetryTimer = setInterval(() => void accounts.mailer.sendDue().catch(() => undefined), 5000).unref()
  const invitationTimer = setInterval(
    () => void accounts.invitations.mailQueue.sendDue().catch(() => undefined),
    15_000,
  ).unref()

  const timers = [outboxCleanupTimer, jobMailTimer, mailRetryTimer, invitationTimer]

  const trail = createRecordingTrail({ connection, audit: accounts.audit, clock, log })
  const batches = buildBatches({ ...work, trail }, log)
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
  const stopEmailChanges = startEmailChanges(administration, log)
  const system = buildSystem(accounts, work, options)
  timers.push(startWarningMails(system.warningMails, log), startWorkSamples(options))

  return {
    config,
    database,
    clock,
    log,
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
      for (const timer of timers) clearInterval(timer)
      stopEmailChanges()
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
    },
  }
}

function startWarningMails({ sendDue }: { sendDue: () => Promise<void> }, log: ServiceOptions['log']) {
  const warn = (err: unknown) => log.warn({ err }, 'what needs attention could not be checked')
  return setInterval(() => void sendDue().catch(warn), warningCheckMs).unref()
}

function startWorkSamples({ database, clock, log }: ServiceOptions) {
  const warn = (err: unknown) => log.warn({ err }, 'queue and speed could not be sampled')
  const sample = () => sampleWork(database.connection, new Date(clock.now())).catch(warn)
  return setInterval(() => void sample(), workSampleMs).unref()
}
