import type { Activity } from '#data/activity.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { repeat } from '#data/repeat.ts'
import { sampleWork } from '#data/work-hours/work-hours.ts'
import type { EmailChanges } from './features/admin/email-changes.ts'
import type { InvitationMailQueue } from './features/invitations/mail-queue.ts'
import type { Mailer } from './features/mail/mailer.ts'
import type { Outbox } from './features/mail/outbox.ts'
import type { Upkeep } from './features/system/upkeep/upkeep.ts'
import type { ServiceOptions } from './service-options.ts'

/** Most warnings concern hours or days. A warning is reported once two checks in a row find it. */
const warningCheckMs = 5 * 60_000
/** For each hour the maximum of its samples is shown. */
const workSampleMs = 5 * 60_000
/** Samples taken at rest show that nothing happened in that hour. */
const restingSampleMs = 60 * 60_000
/** Nightly checks may start a few minutes late. */
const nightlyCheckMs = 10 * 60_000
const outboxCleanupMs = 60_000

/** Sends mails that are due. */
interface Sender {
  sendDue: () => Promise<void>
}

/** A sender that knows when the next thing is due. */
interface PlannedSender extends Sender {
  dueInMs: () => Promise<number>
}

interface BackgroundWork {
  connection: DatabaseConnection
  activity: Activity
  clock: Clock
  log: ServiceOptions['log']
  hasMailServer: boolean
  mailer: Pick<Mailer, 'sendDue'>
  outbox: Pick<Outbox, 'removeExpired' | 'dueInMs'>
  jobMails: Sender
  batchMails: Sender
  digestMails: PlannedSender
  invitationMails: Pick<InvitationMailQueue, 'sendDue' | 'dueInMs'>
  warningMails: Sender
  upkeep: { checks: Pick<Upkeep['checks'], 'startDue'> }
  emailChanges: Pick<EmailChanges, 'applyDue' | 'dueInMs'>
}

/**
 * Runs background tasks when they are due. At rest each runs at its rest interval, or when its next known due time comes. Returns a
 * function that stops it.
 */
export function startBackgroundWork(work: BackgroundWork): () => Promise<void> {
  const { connection, activity, clock, log, hasMailServer, mailer, outbox, digestMails, invitationMails } = work
  const warn = (message: string) => (err: unknown) => log.warn({ err }, message)
  const onMailError = warn('mails could not be sent')
  const stops = [
    repeat(activity, {
      run: () => Promise.all([work.jobMails.sendDue(), work.batchMails.sendDue()]),
      activeMs: 15_000,
      onError: onMailError,
    }),
    repeat(activity, {
      run: digestMails.sendDue,
      activeMs: 15_000,
      dueInMs: digestMails.dueInMs,
      onError: onMailError,
    }),
    repeat(activity, {
      run: mailer.sendDue,
      activeMs: 5_000,
      dueInMs: async () => (hasMailServer ? outbox.dueInMs() : Infinity),
      onError: onMailError,
    }),
    repeat(activity, {
      run: invitationMails.sendDue,
      activeMs: 15_000,
      dueInMs: invitationMails.dueInMs,
      onError: onMailError,
    }),
    repeat(activity, {
      run: work.emailChanges.applyDue,
      activeMs: 15_000,
      dueInMs: work.emailChanges.dueInMs,
      onError: warn('due changes of addresses could not be made'),
    }),
    repeat(activity, {
      run: () => sampleWork(connection, new Date(clock.now())),
      activeMs: workSampleMs,
      restMs: restingSampleMs,
      onError: warn('queue and speed could not be sampled'),
    }),
    repeat(activity, {
      run: work.warningMails.sendDue,
      activeMs: warningCheckMs,
      restMs: warningCheckMs,
      onError: warn('what needs attention could not be checked'),
    }),
    repeat(activity, {
      run: work.upkeep.checks.startDue,
      activeMs: nightlyCheckMs,
      restMs: nightlyCheckMs,
      onError: warn('the checks of the night could not be started'),
    }),
    repeat(activity, {
      run: outbox.removeExpired,
      activeMs: outboxCleanupMs,
      restMs: outboxCleanupMs,
      onError: () => undefined,
    }),
  ]
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}
