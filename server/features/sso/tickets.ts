import type { z } from 'zod'
import type { Clock } from '#data/clock.ts'
import type { SsoTicketRepository } from '#data/sso-tickets/sso-tickets.ts'
import { hashToken, randomToken } from '#server/security/opaque-tokens.ts'
import { createSealer } from '#server/security/sealer.ts'

/** How long a person has at the provider's pages, and to enter a code or a password afterwards. */
export const ticketLifetimeMs = 10 * 60_000
/** Longer than logout tokens are accepted for (oidc/logout-token.ts). */
const seenTokenLifetimeMs = 60 * 60_000

/** `attempt`: the `state` of a sign-in at an OpenID provider. `ticket`: for a session, where a provider identified somebody. */
export type TicketKind = 'attempt' | 'ticket'

/** What the browser shows: the token, in an address or a body, and the cookie that came with it. */
export interface ShownTicket {
  token: string
  binding: string | undefined
}

interface TicketsDeps {
  repository: SsoTicketRepository
  key: Buffer
  clock: Clock
}

/** One-time tokens of browsers that are signing in through a provider. Each is worth nothing without the cookie of its browser. */
export function createSsoTickets({ repository, key, clock }: TicketsDeps) {
  const sealer = createSealer(key)

  /** Issues a token for one browser; `content` is kept for it. */
  async function issue(kind: TicketKind, content: object): Promise<{ token: string; binding: string }> {
    const token = randomToken()
    const binding = randomToken()
    const hash = hashOf(kind, token)
    await repository.insert({
      hash,
      bindingHash: hashToken(binding),
      sealed: sealer.seal(JSON.stringify(content), hash),
      expiresAt: new Date(clock.now() + ticketLifetimeMs),
    })
    return { token, binding }
  }

  /** Returns what is kept for a token; undefined where it is unknown, used, expired, or another browser's. */
  async function read<Schema extends z.ZodType>(
    kind: TicketKind,
    shown: ShownTicket,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    return open(schema, shown.binding && (await repository.find(keyOf(kind, shown), new Date(clock.now()))))
  }

  /** Returns it, and voids the token. Of two calls at once, one gets it. */
  async function consume<Schema extends z.ZodType>(
    kind: TicketKind,
    shown: ShownTicket,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    return open(schema, shown.binding && (await repository.consume(keyOf(kind, shown), new Date(clock.now()))))
  }

  /** Records that a provider's token came; false where it came before. */
  async function recordFirstUse(providerId: string, tokenId: string): Promise<boolean> {
    const expiresAt = new Date(clock.now() + seenTokenLifetimeMs)
    return repository.insert({
      hash: hashToken(`seen:${providerId}:${tokenId}`),
      bindingHash: '',
      sealed: '',
      expiresAt,
    })
  }

  function keyOf(kind: TicketKind, { token, binding = '' }: ShownTicket) {
    return { hash: hashOf(kind, token), bindingHash: hashToken(binding) }
  }

  function open<Schema extends z.ZodType>(
    schema: Schema,
    found: { hash: string; sealed: string } | '' | undefined,
  ): z.output<Schema> | undefined {
    return found ? schema.parse(JSON.parse(sealer.open(found.sealed, found.hash))) : undefined
  }

  return { issue, read, consume, recordFirstUse }
}

export type SsoTickets = ReturnType<typeof createSsoTickets>

function hashOf(kind: TicketKind, token: string): string {
  return hashToken(`${kind}:${token}`)
}
