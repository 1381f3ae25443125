import type { Config } from './config.ts'

const loopback = /^(?:localhost|127\.[\d.]+|::1)$/

/** What is probably not meant, one sentence each; the server starts all the same. */
export function findConfigWarnings({ host, isPublicUrlSet, publicUrl }: Config): string[] {
  if (isPublicUrlSet || loopback.test(host)) return []
  return [`PUBLIC_URL is not set: links in mails lead to ${publicUrl}, which only this machine can open`]
}
