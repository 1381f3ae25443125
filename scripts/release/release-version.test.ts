import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { releaseVersion } from './release-version.ts'

const hasGit = spawnSync('git', ['--version']).status === 0

test.skipIf(!hasGit)('names the commit, and whether files were changed since', async () => {
  const folder = await temporaryFolder()
  // Where git runs this, it names its own repository to us.
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null' }
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: folder, env })
  git('init')
  await writeFile(join(folder, 'a'), 'one')
  git('add', '.')
  git('commit', '-m', 'first')
  expect(releaseVersion(folder, '1.2.3')).toMatch(/^1\.2\.3\+\d{8}\.[0-9a-f]{7,}$/)
  await writeFile(join(folder, 'a'), 'two')
  expect(releaseVersion(folder, '1.2.3')).toMatch(/^1\.2\.3\+\d{8}\.[0-9a-f]{7,}\.modified$/)
})

test('a folder without a repository has the version alone', async () => {
  expect(releaseVersion(await temporaryFolder(), '1.2.3')).toBe('1.2.3')
})
