import type { z } from 'zod'
import type { Clock } from '#data/clock.ts'
import type { SsoTicketRepository } from '#data/sso-tickets/sso-tickets.ts'
import { hashToken, randomToken } from '#server/security/opaque-tokens.ts'
import { createSealer } from '#server/security/sealer.ts'

/** How long a person may spend on the provider's pages, and then entering a code or a password. */
export const ticketLifetimeMs = 10 * 60_000
/** Longer than logout tokens are accepted (oidc/logout-token.ts). */
const seenTokenLifetimeMs = 60 * 60_000

/**
 * `attempt`: the `state` of a sign-in with an OpenID provider. `ticket`: exchanged for a session once a provider has identified somebody.
 */
export type TicketKind = 'attempt' | 'ticket'

/** What the browser presents: the token, in a URL or a body, and the cookie that came with it. */
export interface ShownTicket {
  token: string
  binding: string | undefined
}

interface TicketsDeps {
  repository: SsoTicketRepository
  key: Buffer
  clock: Clock
}

/** One-time tokens of browsers that are signing in through a provider. Each is worthless without the cookie of its browser. */
export function createSsoTickets({ repository, key, clock }: TicketsDeps) {
  const sealer = createSealer(key)

  /** Issues a token to one browser; `content` is stored for it. */
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

  /** Returns what is stored for a token; undefined if the token is unknown, used, expired, or belongs to another browser. */
  async function read<Schema extends z.ZodType>(
    kind: TicketKind,
    shown: ShownTicket,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    return open(schema, shown.binding && (await repository.find(keyOf(kind, shown), new Date(clock.now()))))
  }

  /** Returns what is stored for a token, and voids the token. Of two simultaneous calls, one succeeds. */
  async function consume<Schema extends z.ZodType>(
    kind: TicketKind,
    shown: ShownTicket,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    return open(schema, shown.binding && (await repository.consume(keyOf(kind, shown), new Date(clock.now()))))
  }

  /** Records that a provider's token was received; returns false if it was received before. */
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
