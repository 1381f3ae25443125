import { awazCommand } from '#data/awaz-command.ts'
import type { MailServerState } from '../../mail/smtp.ts'

/** Something wrong with an instance, as described to the person who can fix it. */
interface HealthIssue {
  /** A problem requires action now, a warning soon. */
  severity: 'problem' | 'warning'
  /** A few words, without details. */
  title: string
  /** The command or action that fixes it. */
  remedy: string
  /** Only the command in `remedy`; words in capitals are to be replaced. */
  command?: string
}

/**
 * Issues that both the server notices every few minutes (warnings.ts) and `awaz doctor` finds, keyed by doctor's codes. The System page
 * shows both, so an issue must have the same severity and remedy in each.
 */
export const healthIssues = {
  'backup.not_set_up': {
    severity: 'warning',
    title: 'BACKUP_DIR is not set, and no backup was ever made',
    remedy: 'Set BACKUP_DIR, BACKUP_TIME and BACKUP_PASSPHRASE_FILE (docs/backup.md, "Every day").',
  },
  'backup.none': {
    severity: 'problem',
    title: 'There is no finished backup in BACKUP_DIR',
    remedy: `${awazCommand} backup, and BACKUP_TIME for one every day.`,
    command: `${awazCommand} backup`,
  },
  'backup.old': {
    severity: 'problem',
    title: 'The newest backup is older than two days, or than eight without BACKUP_TIME',
    remedy: `${awazCommand} backup, and read the log and the audit trail (backup.create) for why the daily one fails.`,
    command: `${awazCommand} backup`,
  },
  'backup.failed': {
    severity: 'problem',
    title: 'The last backup failed',
    remedy: `Mend what the audit trail says (page Audit, backup.create), then ${awazCommand} backup.`,
    command: `${awazCommand} backup`,
  },
  'backup.rehearsal': {
    severity: 'warning',
    title: 'No backup was rehearsed within 40 days',
    remedy: `${awazCommand} backup rehearse FILE with the passphrase from paper (docs/backup.md, "The drill").`,
    command: `${awazCommand} backup rehearse FILE`,
  },
  'certificate.expired': {
    severity: 'problem',
    title: 'The certificate of PUBLIC_URL has expired',
    remedy: 'Renew it now, and find out why it was not renewed by itself (certbot renew, systemctl list-timers).',
  },
  'certificate.ends_soon': {
    severity: 'warning',
    title: 'The certificate of PUBLIC_URL ends within two weeks',
    remedy: 'Renew it, or check that it is renewed by itself (certbot renew --dry-run).',
  },
  'disk.full': {
    severity: 'problem',
    title: 'Less than 512 MiB are free for data or backups, or no more files can be created',
    remedy:
      'Free room or enlarge the disk. RETENTION_DAYS deletes old recordings; DATA_DIR/audio/orphans and old models may go.',
  },
  'disk.nearly_full': {
    severity: 'warning',
    title: 'The disk is full soon, by the recordings of the last 30 days',
    remedy: 'Enlarge the disk, or set RETENTION_DAYS or QUOTA_BYTES.',
  },
  'engines.none': {
    severity: 'problem',
    title: 'Awaz runs, and no engine does',
    remedy:
      'Read the log of the engine, and restart Awaz. With RUN_SERVER false on other hosts, check their MONGODB_URI.',
  },
  'engines.silent': {
    severity: 'warning',
    title: 'An engine ended without unregistering, or hangs',
    remedy:
      'Read its log and that of the kernel (journalctl -k, "out of memory"). Fewer ENGINE_PROCESSES need less memory.',
  },
  'engines.unable': {
    severity: 'warning',
    title: 'An engine cannot work',
    remedy: 'Mend what it reports: the page System shows it under Engines.',
  },
  'engines.version': {
    severity: 'warning',
    title: 'An engine runs another version than this one',
    remedy: 'Upgrade and restart Awaz on its host, or here where this one is older.',
  },
  'servers.unreachable': {
    severity: 'problem',
    title: 'A transcription or translation server cannot be reached, or models are missing',
    remedy:
      'Start them, and check SPEECH_SERVERS and TRANSLATION_SERVERS (docs/scale-out.md). Page System shows the last error.',
  },
  'jobs.waiting': {
    severity: 'warning',
    title: 'A job has waited for over an hour',
    remedy:
      'Page System: are all engines at work? If so, more of them (docs/scale-out.md); if not, models for the language are missing.',
  },
  'jobs.abandoned': {
    severity: 'problem',
    title: 'Running jobs belong to engines that are gone, and nobody takes them back',
    remedy: 'An engine takes them back within two minutes; if not, restart the engines.',
  },
  'jobs.failing': {
    severity: 'problem',
    title: 'More than half of the jobs that were asked for in the last day failed',
    remedy: 'Open one that failed for its message, and read the log of the engine.',
  },
  'mail.silent': {
    severity: 'problem',
    title: 'The mail server does not answer',
    remedy: 'Check host and port of SMTP_URL, and the firewall (docs/mail.md).',
  },
  'mail.refuses_login': {
    severity: 'problem',
    title: 'The mail server refuses the user name or password',
    remedy: 'Correct user name and password in SMTP_URL, and restart.',
  },
  'mail.untrusted': {
    severity: 'problem',
    title: 'The certificate of the mail server is not trusted',
    remedy: 'Renew its certificate, or set SMTP_CA to the certificate of its authority.',
  },
} as const satisfies Record<string, HealthIssue>

export type HealthIssueCode = keyof typeof healthIssues

/** Issue codes by the outcome of a connection to the mail server. */
export const mailHealthIssues = {
  is_silent: 'mail.silent',
  refuses_login: 'mail.refuses_login',
  is_untrusted: 'mail.untrusted',
} as const satisfies Record<Exclude<MailServerState, 'accepts'>, HealthIssueCode>

/** Only old backups may be removed from the disk of BACKUP_DIR. */
export const backupDiskRemedy = 'Free room or enlarge the disk, or keep fewer backups (docs/backup.md).'

/** Returns the severity and remedy of an issue for a warning, with the command line as it is called here. */
export function describeHealthIssue(code: HealthIssueCode): Pick<HealthIssue, 'severity' | 'remedy'> {
  const { severity, remedy } = healthIssues[code]
  return { severity, remedy }
}
