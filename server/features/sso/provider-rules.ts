import type { SignInProviderInput } from '#contract/entities/sign-in-provider.ts'
import { isPublicAddress } from '#data/network-ranges.ts'
import type { ProviderSettings, SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import { invalidInput } from '#server/http/parse.ts'
import { isIP } from 'node:net'

const loopbackName = /^(?:[a-z\d-]+\.)*localhost$/

/**
 * Returns whether text is an address that a provider may be called at: by https, or by http on this machine or at a private address, as within
 * the network of containers. A name is never taken for private, because its meaning may change.
 */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  if (protocol === 'https:') return true
  const host = hostname.replace(/^\[|\]$/g, '')
  return protocol === 'http:' && (loopbackName.test(host) || (isIP(host) !== 0 && !isPublicAddress(host)))
}

/** Throws `invalid_input` for settings by which passwords or tokens would travel in the clear. */
export function assertSafe(input: SignInProviderInput): void {
  if (input.kind === 'oidc' && !isSafeAddress(input.issuer)) {
    throw invalidInput(['Please enter an https address: http is for this machine and private IP addresses'], 'issuer')
  }
  if (input.kind === 'ldap' && input.url.startsWith('ldap://') && !input.uses_starttls) {
    throw invalidInput(['Please use ldaps:// or turn on StartTLS: passwords never travel in the clear'], 'url')
  }
}

/**
 * Throws `invalid_input` where a stored secret would be sent to an address that its owner did not give it for: then it must be entered
 * again.
 */
export function assertSecretStays(before: SignInProviderRecord, input: SignInProviderInput): void {
  if (before.sealedSecret === null || secretOf(input) !== undefined) return
  const { settings } = before
  if (settings.kind === 'oidc' && input.kind === 'oidc' && settings.issuer !== input.issuer) {
    throw invalidInput(['Please enter the client secret again, because the issuer changed'], 'client_secret')
  }
  if (settings.kind === 'ldap' && input.kind === 'ldap' && !isSameDirectory(settings, input)) {
    throw invalidInput(
      ['Please enter the password again, because the address, the account or the authority changed'],
      'bind_password',
    )
  }
}

/** Returns the secret of the input; undefined where it is left out. */
export function secretOf(input: SignInProviderInput): string | undefined {
  return input.kind === 'oidc' ? input.client_secret : input.bind_password
}

export function withoutSecret(input: SignInProviderInput): ProviderSettings {
  if (input.kind === 'oidc') {
    const { client_secret: _secret, ...settings } = input
    return settings
  }
  const { bind_password: _password, ...settings } = input
  return settings
}

/** Returns whether people keep their ids at the provider: those of another issuer may belong to somebody else. */
export function keepsSubjects(before: ProviderSettings, after: ProviderSettings): boolean {
  if (before.kind === 'oidc') return after.kind === 'oidc' && before.issuer === after.issuer
  return after.kind === 'ldap' && before.id_attribute === after.id_attribute
}

/** Returns whether a provider still stands in for our second factor in each way in which it did. */
export function keepsTrust(before: ProviderSettings, after: ProviderSettings): boolean {
  if (before.replaces_two_factor && !after.replaces_two_factor) return false
  if (before.kind !== 'oidc' || after.kind !== 'oidc') return true
  return before.second_factor_values.every((value) => after.second_factor_values.includes(value))
}

type DirectoryAddress = Pick<Extract<SignInProviderInput, { kind: 'ldap' }>, 'url' | 'bind_dn' | 'ca'>

/** With another authority somebody else's certificate may be trusted at the same address. */
function isSameDirectory(before: DirectoryAddress, after: DirectoryAddress): boolean {
  return before.url === after.url && before.bind_dn === after.bind_dn && before.ca.trim() === after.ca.trim()
}
