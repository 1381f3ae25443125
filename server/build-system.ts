import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import type { Work } from './build-work.ts'
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
import type { Accounts } from './build-accounts.ts'
import { createRequestMetrics } from './http/request-metrics.ts'
import type { ServiceOptions } from './service-options.ts'

/** Builds what watches the instance: readiness, metrics, its state for administrators, and mails about what needs attention, and upkeep. */
export function buildSystem(
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
  // Without the mail server everybody works on, and mails wait in the outbox.
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
