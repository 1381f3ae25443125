import { existsSync } from 'node:fs'

/** How this Awaz was installed, as far as this machine shows. */
export type Installation = 'systemd' | 'container' | 'other'

export function findInstallation(exists: (path: string) => boolean = existsSync): Installation {
  if (exists('/.dockerenv') || exists('/run/.containerenv')) return 'container'
  return exists('/run/systemd/system') && exists('/etc/systemd/system/awaz.service') ? 'systemd' : 'other'
}

/**
 * Returns the command that shows the log lines about a job. Awaz keeps no log itself: the system that started it decides where its output
 * goes. A container cannot read its own log, so its command is for the host.
 */
export function commandForLines(installation: Installation, { jobId, since }: { jobId: string; since: Date }): string {
  const time = since.toISOString().slice(0, 19)
  if (installation === 'systemd')
    return `journalctl -u awaz --since "${time.replace('T', ' ')} UTC" | grep -A 20 ${jobId}`
  if (installation === 'container') return `docker compose logs --since ${time}Z awaz | grep ${jobId}`
  return `grep -A 20 ${jobId} FILE, where FILE is what the output of Awaz was written to`
}
