import { createOutboxRepository } from '#data/outbox/outbox-mails.ts'
import { systemOrigin, type Audit } from './features/audit/service.ts'
import { createMailer } from './features/mail/mailer.ts'
import { createOutbox } from './features/mail/outbox.ts'
import type { InterfaceTexts } from './http/interface-texts.ts'
import type { ServiceOptions } from './service-options.ts'

/** The outbox and what sends from it; a mail that fails is in the audit trail once. */
export function buildMail(
  { config, database, clock, log, maxMailDelayMs: maxDelayMs }: ServiceOptions,
  { audit, texts }: { audit: Audit; texts: InterfaceTexts },
) {
  const { dataDir, mailFrom: from, smtpUrl, smtpCa } = config
  const outbox = createOutbox({ mails: createOutboxRepository(database.connection), clock, dataDir, from })
  const mailer = createMailer({
    log,
    outbox,
    texts,
    smtpUrl,
    smtpCa,
    from,
    maxDelayMs,
    onFailure: async ({ to, purpose }, reason) => {
      const entry = { action: 'mail.failed', outcome: 'failure' as const, target: to }
      await audit.record({ ...entry, details: `${purpose}: ${reason}` }, systemOrigin)
    },
  })
  return { outbox, mailer }
}
