import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { runAwaz } from '../backup/testing/command-line.ts'
import { signChecksums, writeChecksums } from '../release/write-checksums.ts'
import { checkRelease } from './release-files.ts'
import { makeKeys } from './testing/keys.ts'

/** Makes a folder with the files of a release. */
async function makeRelease() {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'server'))
  await writeFile(join(folder, 'RELEASE'), '1.2.3 linux-x64\n')
  await writeFile(join(folder, 'server', 'main.ts'), 'code')
  await writeChecksums(folder)
  return folder
}

/** Adds files that an installation has beside the code of a release, and that an attacker may add to an archive. */
async function addSettingsAndData(folder: string) {
  await mkdir(join(folder, 'data', 'db'), { recursive: true })
  await writeFile(join(folder, 'data', 'db', 'awaz.sqlite'), '')
  await writeFile(join(folder, '.env'), 'PORT=5000')
}

test('a release as it was made is whole', async () => {
  expect(await checkRelease(await makeRelease())).toEqual({ files: 2, problems: [], added: [], signature: 'unsigned' })
})

test('settings and data in a signed release do not belong to it', async () => {
  const folder = await makeRelease()
  const { publicFile, privateFile } = await makeKeys()
  await signChecksums(folder, privateFile)
  await addSettingsAndData(folder)
  const { status, stderr } = await runAwaz(['verify-release', folder, '--key', publicFile], {})
  expect([status, stderr]).toEqual([1, '.env does not belong to the release.\ndata does not belong to the release.\n'])
})

test('settings and data of an installation are named where they are expected', async () => {
  const folder = await makeRelease()
  const { stdout: whole } = await runAwaz(['verify-release', folder, '--installed'], {})
  expect(whole).not.toContain('checksums do not cover')
  await addSettingsAndData(folder)
  await writeFile(join(folder, 'server', '.env'), 'PORT=5001')
  const { status, stdout, stderr } = await runAwaz(['verify-release', folder, '--installed'], {})
  expect([status, stderr]).toEqual([1, 'server/.env does not belong to the release.\n'])
  expect(stdout).toContain('The checksums do not cover .env and data, which belong to this installation.')
})

test('a linked folder is listed, and what it leads to is not', async () => {
  const folder = await makeRelease()
  await symlink(folder, join(folder, 'server', 'again'))
  expect((await checkRelease(folder)).problems).toEqual(['server/again does not belong to the release.'])
})

test('a changed, a missing and an added file are named', async () => {
  const folder = await makeRelease()
  await appendFile(join(folder, 'server', 'main.ts'), '!')
  await rm(join(folder, 'RELEASE'))
  await writeFile(join(folder, 'server', 'more.ts'), '')
  expect((await checkRelease(folder)).problems).toEqual([
    'RELEASE is missing.',
    'server/main.ts is not the file of the release.',
    'server/more.ts does not belong to the release.',
  ])
  const { status, stderr } = await runAwaz(['verify-release', folder], {})
  expect([status, stderr]).toEqual([1, expect.stringContaining('server/main.ts is not the file of the release.')])
})

test('a signature holds for its key and its checksums only', async () => {
  const folder = await makeRelease()
  const [maker, another] = [await makeKeys(), await makeKeys()]
  expect((await checkRelease(folder, { keyFile: maker.publicFile })).problems).toEqual(['The release is unsigned.'])
  await signChecksums(folder, maker.privateFile)
  expect((await checkRelease(folder)).signature).toBe('unchecked')
  expect(await checkRelease(folder, { keyFile: maker.publicFile })).toEqual({
    files: 2,
    problems: [],
    added: [],
    signature: 'valid',
  })
  expect((await checkRelease(folder, { keyFile: another.publicFile })).signature).toBe('invalid')
  const checked = await runAwaz(['verify-release', folder, '--key', maker.publicFile], {})
  expect([checked.status, checked.stdout]).toEqual([0, expect.stringContaining('Its signature is by the given key.')])
  await writeFile(join(folder, 'server', 'main.ts'), 'other code')
  await writeChecksums(folder)
  const { status, stderr } = await runAwaz(['verify-release', folder, '--key', maker.publicFile], {})
  expect([status, stderr]).toEqual([1, expect.stringContaining('The signature is not by this key')])
})

test('a link or a pipe in place of a file is named and not read', async () => {
  const folder = await makeRelease()
  const copy = join(await temporaryFolder(), 'main.ts')
  await rename(join(folder, 'server', 'main.ts'), copy)
  await symlink(copy, join(folder, 'server', 'main.ts'))
  await rm(join(folder, 'RELEASE'))
  execFileSync('mkfifo', [join(folder, 'RELEASE')])
  expect((await checkRelease(folder)).problems).toEqual([
    'RELEASE is a link, pipe or device in place of a file.',
    'server/main.ts is a link, pipe or device in place of a file.',
  ])
})

test('nothing outside the release is read, whatever its checksums name', async () => {
  const parent = await temporaryFolder()
  await writeFile(join(parent, 'secret'), '')
  const folder = join(parent, 'release')
  await mkdir(join(folder, 'server'), { recursive: true })
  await symlink(parent, join(folder, 'up'))
  const emptyHash = createHash('sha256').digest('hex')
  const paths = ['../secret', join(parent, 'secret'), 'server/../../secret', './server', 'up/secret']
  await writeFile(join(folder, 'SHA256SUMS'), `${paths.map((path) => `${emptyHash}  ${path}\n`).join('')}no checksum\n`)
  expect((await checkRelease(folder)).problems).toEqual([
    ...paths.slice(0, 4).map((path) => `SHA256SUMS names ${path}, which is no path inside the release.`),
    'SHA256SUMS has a line that is no checksum.',
    'up/secret is missing.',
    'up does not belong to the release.',
  ])
})

test('with a signature that is missing or wrong no other file is read', async () => {
  const folder = await makeRelease()
  const [maker, another] = [await makeKeys(), await makeKeys()]
  await rm(join(folder, 'RELEASE'))
  const unsigned = { files: 0, problems: ['The release is unsigned.'], added: [], signature: 'unsigned' }
  expect(await checkRelease(folder, { keyFile: maker.publicFile })).toEqual(unsigned)
  await signChecksums(folder, maker.privateFile)
  const problems = ['The signature is not by this key, or the checksums were changed.']
  const foreign = { files: 0, problems, added: [], signature: 'invalid' }
  expect(await checkRelease(folder, { keyFile: another.publicFile })).toEqual(foreign)
  const { stdout } = await runAwaz(['verify-release', folder, '--key', another.publicFile], {})
  expect(stdout).toContain('The files of the release were not compared.')
})

test('a name with control characters cannot write to the terminal', async () => {
  const folder = await makeRelease()
  await writeFile(join(folder, '\u001B[2Jmore'), '')
  expect((await checkRelease(folder)).problems).toEqual(['?[2Jmore does not belong to the release.'])
})

test('a folder that is no release and a file that is no key are refused', async () => {
  await expect(checkRelease(await temporaryFolder())).rejects.toThrow('is no release')
  const folder = await makeRelease()
  const { privateFile } = await makeKeys()
  await signChecksums(folder, privateFile)
  await expect(checkRelease(folder, { keyFile: join(folder, 'RELEASE') })).rejects.toThrow('is not a public key in PEM')
})
