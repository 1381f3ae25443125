import { t } from '#contract/texts/t.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import { partsFolder } from '#data/audio-store/open-audio-store.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findUnsupportedVersion } from '#data/deployment.ts'
import { findDiskProblem } from '#data/disk-check.ts'
import { findFileDamage } from '#data/file-damage.ts'
import type { SystemFactRepository } from '#data/system/system-facts.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { MailServerState } from '../mail/smtp.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { CheckOutcome, CheckResult } from './readiness.ts'
import { keepFor } from './state/keep-for.ts'
import { mailHealthIssues } from './state/health-issues.ts'

interface ServerCheckDeps {
  config: Pick<Config, 'dataDir' | 'audioStore' | 'smtpUrl'>
  connection: DatabaseConnection
  facts: Pick<SystemFactRepository, 'set'>
  audioStore: Pick<AudioStore, 'freeBytes'>
  mailer: Pick<Mailer, 'verify'>
  outbox: Pick<Outbox, 'countFailing'>
}

/** Minimum interval between connections to the mail server, because it may count connections that send nothing. */
const mailCheckIntervalMs = 30_000

const mailServerStates: Record<MailServerState, string> = {
  accepts: t('the mail server answers'),
  refuses_login: t('the mail server refuses the user name or password of SMTP_URL'),
  is_untrusted: t('the certificate of the mail server is not trusted; its authority belongs in SMTP_CA'),
  is_silent: t('the mail server does not answer'),
}

/** Returns the readiness checks for what the server itself needs. */
export function createServerChecks({ config, connection, facts, audioStore, mailer, outbox }: ServerCheckDeps) {
  async function checkDatabase(): Promise<CheckResult> {
    // Tested with a write, because a database on a full disk still answers reads.
    await facts.set('readiness', new Date().toISOString())
    const unsupported = await findUnsupportedVersion(connection)
    if (unsupported) return { ok: false, message: unsupported }
    const damage = await findFileDamage(connection)
    if (damage === undefined) return { ok: true, message: 'reachable and writable' }
    return { ok: false, message: `its file is damaged (${damage}): restore a backup` }
  }

  async function checkAudioStore(): Promise<CheckResult> {
    const problem = await findDiskProblem(partsFolder(config))
    if (problem) return { ok: false, message: problem }
    const hasRoom = (await audioStore.freeBytes()) > 0
    return hasRoom ? toResult(undefined) : { ok: false, message: 'too little room is left: uploads are refused' }
  }

  async function checkMail(): Promise<CheckOutcome> {
    if (!config.smtpUrl) return { ok: true, message: t('mails are kept in the outbox') }
    const [state, failing] = await Promise.all([mailer.verify(), outbox.countFailing()])
    const waiting = failing > 0 ? `; mails that wait to be tried again: ${failing}` : ''
    const message = `${mailServerStates[state]}${waiting}`
    return state === 'accepts' ? { ok: true, message } : { ok: false, message, issue: mailHealthIssues[state] }
  }

  return {
    database: checkDatabase,
    data_folder: async () => toResult(await findDiskProblem(config.dataDir)),
    audio_store: checkAudioStore,
    mail: keepFor(mailCheckIntervalMs, checkMail),
  }
}

function toResult(problem: string | undefined): CheckResult {
  return { ok: problem === undefined, message: problem ?? 'writable' }
}
