import type { SignInProviderInput } from '#contract/entities/sign-in-provider.ts'
import { isPublicAddress } from '#data/network-ranges.ts'
import type { ProviderSettings, SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import { invalidInput } from '#server/http/parse.ts'
import { isIP } from 'node:net'

const loopbackName = /^(?:[a-z\d-]+\.)*localhost$/

/**
 * Returns whether a text is an address at which a provider may be called: over https, or over http on this machine or at a private address,
 * for example within a container network. A host name is never treated as private, because what it resolves to may change.
 */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  if (protocol === 'https:') return true
  const host = hostname.replace(/^\[|\]$/g, '')
  return protocol === 'http:' && (loopbackName.test(host) || (isIP(host) !== 0 && !isPublicAddress(host)))
}

/** Throws `invalid_input` for settings that would send passwords or tokens in the clear. */
export function assertSafe(input: SignInProviderInput): void {
  if (input.kind === 'oidc' && !isSafeAddress(input.issuer)) {
    throw invalidInput(['Please enter an https address: http is for this machine and private IP addresses'], 'issuer')
  }
  if (input.kind === 'ldap' && input.url.startsWith('ldap://') && !input.uses_starttls) {
    throw invalidInput(['Please use ldaps:// or turn on StartTLS: passwords never travel in the clear'], 'url')
  }
}

/**
 * Throws `invalid_input` if a stored secret would be sent to an address for which its owner did not provide it: it must then be entered
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

/** Returns the secret in the input; undefined if omitted. */
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

/** Returns whether people keep their ids at the provider: the ids of another issuer may belong to other people. */
export function keepsSubjects(before: ProviderSettings, after: ProviderSettings): boolean {
  if (before.kind === 'oidc') return after.kind === 'oidc' && before.issuer === after.issuer
  return after.kind === 'ldap' && before.id_attribute === after.id_attribute
}

/** Returns whether a provider still replaces our second factor in every way it did before. */
export function keepsTrust(before: ProviderSettings, after: ProviderSettings): boolean {
  if (before.replaces_two_factor && !after.replaces_two_factor) return false
  if (before.kind !== 'oidc' || after.kind !== 'oidc') return true
  return before.second_factor_values.every((value) => after.second_factor_values.includes(value))
}

type DirectoryAddress = Pick<Extract<SignInProviderInput, { kind: 'ldap' }>, 'url' | 'bind_dn' | 'ca'>

/** With a different authority, somebody else's certificate might be trusted at the same address. */
function isSameDirectory(before: DirectoryAddress, after: DirectoryAddress): boolean {
  return before.url === after.url && before.bind_dn === after.bind_dn && before.ca.trim() === after.ca.trim()
}
