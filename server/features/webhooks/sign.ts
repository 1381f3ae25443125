import { createHmac, randomBytes } from 'node:crypto'

const secretMark = 'whsec_'

/** Returns a secret of 256 random bits in the Standard Webhooks format. */
export function createSecret(): string {
  return secretMark + randomBytes(32).toString('base64')
}

/**
 * Returns the headers by which a receiver recognizes the sender, and a message it has already received (Standard Webhooks 1.0.0, "Signature
 * scheme"). `id` stays the same when a message is sent again; the timestamp is that of the attempt.
 */
export function signMessage(
  secret: string,
  { id, sentAtMs, body }: { id: string; sentAtMs: number; body: string },
): Record<string, string> {
  const key = Buffer.from(secret.slice(secretMark.length), 'base64')
  const timestamp = String(Math.floor(sentAtMs / 1000))
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'Webhook-Id': id, 'Webhook-Timestamp': timestamp, 'Webhook-Signature': `v1,${signature}` }
}
