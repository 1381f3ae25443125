import { t } from '#contract/texts/t.ts'
import { canUsePasskeys } from './passkeys-support.ts'

/** Returns why passkeys cannot be used here, in words for the user; undefined if they can. */
export function passkeyObstacle(): string | undefined {
  if (canUsePasskeys()) return undefined
  if (!window.isSecureContext) {
    return t('Passkeys need an address that begins with https://. Please ask your administrator for that address.')
  }
  return t('This browser cannot use passkeys. Please open this page in a current browser.')
}
