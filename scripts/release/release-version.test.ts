import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { debianVersion, readCommit, releaseVersion, type Commit } from './release-version.ts'

const hasGit = spawnSync('git', ['--version']).status === 0

test.skipIf(!hasGit)('names the commit, and whether files were changed since', async () => {
  const folder = await temporaryFolder()
  // When git runs these tests, its environment variables name its own repository.
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_COMMITTER_DATE: '2026-11-27T01:30:00+0400' }
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: folder, env })
  git('init')
  await writeFile(join(folder, 'a'), 'one')
  git('add', '.')
  git('commit', '-m', 'first')
  const versions = () => {
    const commit = readCommit(folder)
    return [releaseVersion('1.2.3', commit), debianVersion('1.2.3', commit)]
  }
  expect(versions()).toEqual([
    expect.stringMatching(/^1\.2\.3\+20261126\.[0-9a-f]{7,}$/),
    expect.stringMatching(/^1\.2\.3\+20261126\.213000\.[0-9a-f]{7,}$/),
  ])
  await writeFile(join(folder, 'a'), 'two')
  expect(versions()).toEqual([expect.stringMatching(/\.modified$/), expect.stringMatching(/\.modified$/)])
})

test('a folder without a repository has the version alone', async () => {
  const commit = readCommit(await temporaryFolder())
  expect([releaseVersion('1.2.3', commit), debianVersion('1.2.3', commit)]).toEqual(['1.2.3', '1.2.3'])
})

const at = (time: string, hash = 'b384c64', isModified = false): Commit => ({ time: new Date(time), hash, isModified })

test.skipIf(lacks('dpkg'))('dpkg sorts packages as they were released', () => {
  const sorted = [
    debianVersion('0.2.0', undefined),
    debianVersion('0.2.0', at('2026-11-26T09:05:59Z', 'f000000')),
    debianVersion('0.2.0', at('2026-11-26T09:06:00Z', '0000000')),
    debianVersion('0.2.0', at('2026-11-26T09:06:00Z', '0000000', true)),
    debianVersion('0.2.0', at('2026-11-27T00:00:00Z', '1111111')),
    debianVersion('0.10.0-beta.1', at('2026-12-01T00:00:00Z')),
    debianVersion('0.10.0', undefined),
    debianVersion('0.10.0', at('2026-11-30T00:00:00Z')),
  ]
  for (const [index, newer] of sorted.entries())
    for (const older of sorted.slice(0, index)) {
      const { status, stderr } = spawnSync('dpkg', ['--compare-versions', older, 'lt', newer], { encoding: 'utf8' })
      expect({ older, newer, status, stderr }).toEqual({ older, newer, status: 0, stderr: '' })
    }
})
