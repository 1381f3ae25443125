import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { comma } from '../../shared/format.ts'
import { eventNames } from '../../shared/webhook-event-names.ts'

const events: Record<string, string> = eventNames

/** Describes `example.org, job.finished job.failed, on`: the receiver of a webhook, its events, and whether it is sent. */
export function describeWebhook(details: string): string {
  const [, host = '', sent = '', state] = /^(\S+), ([a-z. ]*), (on|off)$/.exec(details) ?? []
  if (host === '') return details
  const names = sent.split(' ').map((event) => events[event] ?? event)
  return [isolateName(host), ...names, state === 'on' ? t('On') : t('Off')].join(comma)
}
