import type { Config } from './config.ts'

const loopback = /^(?:localhost|127\.[\d.]+|::1)$/

/** Returns warnings about settings that are probably unintended; the server starts anyway. */
export function findConfigWarnings({ host, isPublicUrlSet, publicUrl }: Config): string[] {
  if (isPublicUrlSet || loopback.test(host)) return []
  return [`PUBLIC_URL is not set: links in mails lead to ${publicUrl}, which only this machine can open`]
}
