import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { formatChangelog, formatControl } from './control.ts'
import { describeTree } from './describe-tree.ts'

const options = {
  version: '1.2.3',
  architecture: 'amd64',
  maintainer: 'Jane Doe <jane@example.org>',
  installedKb: 1000,
  glibc: '2.34',
}

test.each([
  ['3.4.30', 'libstdc++6 (>= 12)'],
  ['3.4.19', 'libstdc++6 (>= 11)'],
  ['3.4.99', 'libstdc++6 (>= 15)'],
])('the package asks for the C++ library of the symbols %s', (libstdcxx, expected) => {
  const control = formatControl({ ...options, libstdcxx })
  expect(control).toMatch(/^Package: awaz\nVersion: 1\.2\.3\nArchitecture: amd64\nMaintainer: Jane Doe <jane@/)
  expect(/^Depends: (.*)$/m.exec(control)?.[1]?.split(', ')).toEqual(
    expect.arrayContaining(['libc6 (>= 2.34)', expected, 'ffmpeg', 'systemd']),
  )
  // dpkg refuses a description with an empty line or without a final line break.
  expect(control).toMatch(/\n [^\n]+\n$/)
  expect(control).not.toContain('\n\n')
})

test('the changelog has the form that dpkg reads', () => {
  const time = new Date('2026-11-06T09:05:00Z')
  expect(formatChangelog({ version: '1.2.3', maintainer: options.maintainer, time })).toMatch(
    /^awaz \(1\.2\.3\) stable; urgency=medium\n\n {2}\* .*\n\n -- Jane Doe <jane@example\.org> {2}Fri, 06 Nov 2026 09:05:00 \+0000\n$/,
  )
})

test('the libraries that native files ask for are read, and every file has its sum', async () => {
  const root = await temporaryFolder()
  await mkdir(join(root, 'usr/bin'), { recursive: true })
  await writeFile(join(root, 'usr/bin/old'), '\u007FELF\0GLIBC_2.9\0GLIBC_2.4\0')
  await writeFile(join(root, 'usr/bin/new'), '\u007FELF\0GLIBC_2.34\0GLIBC_2.4\0GLIBCXX_3.4.9\0GLIBCXX_3.4.29\0')
  await writeFile(join(root, 'usr/manual'), 'GLIBC_2.99 and GLIBCXX_3.4.99')
  expect(await describeTree(root)).toEqual({
    md5sums: expect.stringMatching(
      /^[0-9a-f]{32} {2}usr\/bin\/new\n[0-9a-f]{32} {2}usr\/bin\/old\n.* {2}usr\/manual\n$/,
    ),
    installedKb: 5,
    glibc: '2.34',
    libstdcxx: '3.4.29',
  })
})
