import { createHmac } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { z } from 'zod'
import type { Clock } from '#data/clock.ts'

/** The purpose of a signed token; one kind is never accepted as another. */
export type TokenAudience = 'api' | 'audio' | 'registration'

const issuer = 'awaz'
const Claims = z.object({
  sub: z.string().regex(/^[0-9a-f]{24}$/),
  sid: z
    .string()
    .regex(/^[0-9a-f]{24}$/)
    .optional(),
  gen: z.int().nonnegative().default(0),
})

export interface SignedClaims {
  userId: string
  sessionId?: string | undefined
  /** See SessionDocument; 0 if the token carries none. */
  generation?: number | undefined
}

/** Signs and reads tokens (RFC 8725): algorithm, issuer, audience and type are pinned, and the time comes from the injected clock. */
export function createTokens({ key, clock }: { key: Buffer; clock: Clock }) {
  function sign(audience: TokenAudience, { userId, sessionId, generation }: SignedClaims, lifetimeMs: number): string {
    const now = Math.floor(clock.now() / 1000)
    const payload = {
      sub: userId,
      ...(sessionId && { sid: sessionId }),
      ...(generation && { gen: generation }),
      iat: now,
      exp: now + Math.floor(lifetimeMs / 1000),
    }
    return jwt.sign(payload, key, {
      algorithm: 'HS256',
      issuer,
      audience,
      header: { alg: 'HS256', typ: `awaz-${audience}+jwt` },
    })
  }

  /** Returns the claims of a valid, unexpired token of this kind, or undefined. */
  function read(audience: TokenAudience, token: string): SignedClaims | undefined {
    try {
      const decoded = jwt.verify(token, key, {
        algorithms: ['HS256'],
        issuer,
        audience,
        clockTimestamp: Math.floor(clock.now() / 1000),
        complete: true,
      })
      if (decoded.header.typ !== `awaz-${audience}+jwt`) return undefined
      const claims = Claims.safeParse(decoded.payload)
      if (!claims.success) return undefined
      return { userId: claims.data.sub, sessionId: claims.data.sid, generation: claims.data.gen }
    } catch {
      return undefined
    }
  }

  /** Returns the refresh token that succeeds the one with this hash. It cannot be derived without the key. */
  function successorOf(hash: string): string {
    return createHmac('sha256', key).update(`refresh-token-after:${hash}`).digest('base64url')
  }

  return { sign, read, successorOf }
}

export type Tokens = ReturnType<typeof createTokens>
