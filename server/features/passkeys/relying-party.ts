import { isIP } from 'node:net'
import { AppError } from '#contract/app-error.ts'

/** What passkeys are bound to: browsers offer them only on pages of this host. */
export interface RelyingParty {
  /** The host that passkeys are bound to (WebAuthn Level 3, "RP ID"). */
  id: string
  /** The origin of the pages that may use them. */
  origin: string
}

/** Returns what the passkeys of this server are bound to: the host of PUBLIC_URL. */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}

/**
 * Throws `conflict` if passkeys cannot work at the address at which the page was opened; browsers would report this less clearly. `origin`
 * is the request header, which programs other than browsers do not send.
 */
export function assertIsReachedAs({ id, origin }: RelyingParty, requestOrigin: string): void {
  if (isIP(id.replace(/^\[|\]$/g, '')) !== 0) {
    throw new AppError(
      'conflict',
      `Passkeys need a host name, and this server is known as ${origin}. Please ask your administrator to set PUBLIC_URL to an address with a name.`,
    )
  }
  if (requestOrigin === '' || requestOrigin === origin) return
  throw new AppError(
    'conflict',
    `Passkeys work only at ${origin}, the address of this server. Please open that address and try again.`,
    { help: 'Administrators set the address by PUBLIC_URL.' },
  )
}
