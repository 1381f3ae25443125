import { canUsePasskeys } from './passkeys-support.ts'

/** Returns why passkeys cannot be used here, in words for the user; undefined where they can. */
export function passkeyObstacle(): string | undefined {
  if (canUsePasskeys()) return undefined
  if (!window.isSecureContext) {
    return 'Passkeys need an address that begins with https://. Please ask your administrator for that address.'
  }
  return 'This browser cannot use passkeys. Please open this page in a current browser.'
}
