import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TestDatabase } from '#testing/database.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { writeChecksums } from '../../release/write-checksums.ts'
import { describeThisRelease, type UpgradeInfo } from '../upgrade-info.ts'

/** Makes the folder of a release that runs on this machine. */
export async function makeRelease(changes: Partial<UpgradeInfo> & { arch?: string; nodeScript?: string } = {}) {
  const { arch = process.arch, nodeScript = `echo ${process.version}`, ...info } = changes
  const folder = await temporaryFolder()
  const node = join(folder, `node_modules/node-linux-${process.arch}/bin/node`)
  await mkdir(dirname(node), { recursive: true })
  await writeFile(node, `#!/bin/sh\n${nodeScript}\n`, { mode: 0o755 })
  await writeFile(join(folder, 'RELEASE'), `9.9.9 linux-${arch}\n`)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ engines: { node: '>=20.12' } }))
  await writeFile(join(folder, 'upgrade.json'), JSON.stringify({ ...describeThisRelease('9.9.9'), ...info }))
  await writeChecksums(folder)
  return folder
}

/** Returns the connection string of a test's database, including its name. */
export function uriOf({ uri, dbName }: Pick<TestDatabase, 'uri' | 'dbName'>): string {
  return uri.replace(/^(mongodb:\/\/[^/]+)(?:\/[^?]*)?/, `$1/${dbName}`)
}
