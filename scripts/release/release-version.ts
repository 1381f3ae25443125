import { spawnSync } from 'node:child_process'

/**
 * Returns the version of a release that is made from a clone: that of package.json with the commit's day and hash, as in
 * `0.2.0+20261126.b384c64`, so that two archives never have the same name; `.modified` ends it where files were changed since. Without git, the
 * version of package.json.
 */
export function releaseVersion(root: string, version: string): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, env, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : undefined
  }
  const commit = git('log', '-1', '--format=%cd.%h', '--date=format:%Y%m%d')
  if (!commit) return version
  const isModified = (git('status', '--porcelain') ?? '') !== ''
  return `${version}+${commit}${isModified ? '.modified' : ''}`
}
