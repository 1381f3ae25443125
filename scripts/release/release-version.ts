import { spawnSync } from 'node:child_process'

export interface Commit {
  time: Date
  /** Abbreviated. */
  hash: string
  /** Whether files have changed since the commit. */
  isModified: boolean
}

/** Returns the commit of a clone; undefined without git. */
export function readCommit(root: string): Commit | undefined {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, env, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : undefined
  }
  const [seconds, hash] = git('log', '-1', '--format=%ct %h')?.split(' ') ?? []
  if (seconds === undefined || hash === undefined) return undefined
  return { time: new Date(Number(seconds) * 1000), hash, isModified: (git('status', '--porcelain') ?? '') !== '' }
}

/**
 * Returns the version of a release: that of package.json with the commit's day (UTC) and hash, as in `0.2.0+20261126.b384c64`, so that two
 * archives never have the same name; `.modified` is appended if files have changed since. Without a commit, the version of package.json.
 */
export function releaseVersion(version: string, commit: Commit | undefined): string {
  if (!commit) return version
  return `${version}+${digits(commit.time).slice(0, 8)}.${commit.hash}${suffix(commit)}`
}

/**
 * Returns the version of the Debian package of a release, as in `0.2.0+20261126.153000.b384c64`: dpkg compares the time of the commit
 * before the hash, so the later of two commits on the same day is newer. A prerelease, such as `0.3.0-beta.1`, becomes `0.3.0~beta.1`,
 * which is older than its release.
 */
export function debianVersion(version: string, commit: Commit | undefined): string {
  const upstream = version.replace('-', '~')
  if (!commit) return upstream
  const time = digits(commit.time)
  return `${upstream}+${time.slice(0, 8)}.${time.slice(8)}.${commit.hash}${suffix(commit)}`
}

/** Formats a time as in 20261126153000. */
function digits(time: Date): string {
  return time.toISOString().replace(/\D/g, '').slice(0, 14)
}

function suffix({ isModified }: Commit): string {
  return isModified ? '.modified' : ''
}
