import { AppError } from '#contract/app-error.ts'
import type { WebhookEvent } from '#contract/entities/webhook.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { newId } from '#data/ids.ts'
import {
  disableWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  removeWebhook,
  updateWebhook,
  type WebhookKey,
  type WebhookRecord,
} from '#data/webhooks/webhooks.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import { webhookEntry } from './audit-entry.ts'
import { createSecret } from './sign.ts'
import { parseTarget, RefusedTargetError, type Resolve, type TargetRules } from './target.ts'

interface ChangesDeps {
  connection: DatabaseConnection
  rules: TargetRules
  resolve: Resolve
  sealSecret: (secret: string, webhookId: string) => string
  audit: Pick<Audit, 'record'>
}

/** Who changes a webhook, and from where. */
interface Actor {
  user: { id: string; email: string }
  origin: RequestOrigin
}

interface Changes {
  url?: string | undefined
  events?: WebhookEvent[] | undefined
  isEnabled?: boolean | undefined
}

/** What users can do with their webhooks. */
export function createWebhookChanges({ connection, rules, resolve, sealSecret, audit }: ChangesDeps) {
  /** Returns the new webhook with its secret. Throws `invalid_input`, or `conflict` if the user has the maximum number of webhooks. */
  async function create({ user, origin }: Actor, { url, events }: { url: string; events: WebhookEvent[] }) {
    const target = await parseUrl(url)
    const id = newId()
    const secret = createSecret()
    const sealedSecret = sealSecret(secret, id)
    const webhook = await insertWebhook(connection, { id, ownerId: user.id, url: target, events, sealedSecret })
    await audit.record(webhookEntry('create', webhook, user), origin)
    return { webhook, secret }
  }

  /** Throws `not_found`, or `invalid_input` for an address to which nothing may be sent. */
  async function change({ user, origin }: Actor, id: string, changes: Changes): Promise<WebhookRecord> {
    const key = { id, ownerId: user.id }
    const url = changes.url === undefined ? undefined : await parseUrl(changes.url)
    await get(key)
    if (changes.isEnabled === true) await enableWebhook(connection, key)
    if (changes.isEnabled === false) await disableWebhook(connection, key)
    const webhook = await updateWebhook(connection, key, { url, events: changes.events })
    if (!webhook) throw webhookNotFound()
    await audit.record(webhookEntry('change', webhook, user), origin)
    return webhook
  }

  /** Throws `not_found`. */
  async function remove({ user, origin }: Actor, id: string): Promise<void> {
    const webhook = await get({ id, ownerId: user.id })
    await removeWebhook(connection, webhook)
    await audit.record(webhookEntry('remove', webhook, user), origin)
  }

  /** Throws `not_found`. */
  async function get(key: WebhookKey): Promise<WebhookRecord> {
    const webhook = await findWebhook(connection, key)
    if (!webhook) throw webhookNotFound()
    return webhook
  }

  async function parseUrl(url: string): Promise<string> {
    try {
      return await parseTarget(url, rules, resolve)
    } catch (error) {
      if (error instanceof RefusedTargetError) throw invalidInput([error.message], 'url')
      throw error
    }
  }

  return { create, change, remove, get }
}

export function webhookNotFound(): AppError {
  return new AppError('not_found', 'Webhook not found')
}
