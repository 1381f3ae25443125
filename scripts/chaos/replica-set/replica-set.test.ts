import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { findMissing, readCapabilities } from '../../hosts/requirements.ts'
import { faultKinds, faultKindsOfSet, planRounds } from '../plan.ts'
import { startReplicaSet } from './replica-set.ts'
import { findMissingForSet } from './requirements.ts'

const root = join(import.meta.dirname, '../../..')

test('a program that is not there is said in one line', () => {
  expect(findMissingForSet('/no/such/mongod')).toBe(
    "Missing: /no/such/mongod does not start. Give --mongod the path of MongoDB's server program.",
  )
})

test('a run on a set has each fault of its members, and none of the embedded database', () => {
  const kinds = planRounds({ rounds: faultKindsOfSet.length, seed: 1, kinds: faultKindsOfSet }).map(({ kind }) => kind)
  expect(kinds.toSorted()).toEqual([...faultKindsOfSet].toSorted())
  expect(kinds).toEqual(
    expect.arrayContaining(['kill primary', 'step down', 'pause member', 'roll back', 'cut member']),
  )
  expect(faultKinds.filter((kind) => !kinds.includes(kind))).toEqual([
    'kill database',
    'pause database',
    'remove socket',
  ])
})

/** Writes a program that takes the arguments of mongod and serves the embedded database on the host's port. */
async function writeStandIn(): Promise<string> {
  const folder = await temporaryFolder()
  const path = join(folder, 'mongod')
  const main = join(root, 'server/embedded-db/main.ts')
  const relay = join(root, 'scripts/hosts/relay.ts')
  const script = `#!/bin/sh
dbpath= port= bind_ip=
while [ $# -gt 1 ]; do case $1 in --*) eval "\${1#--}=\\$2" ;; esac; shift; done
"${process.execPath}" "${main}" --data "$dbpath/data.sqlite" --socket "$dbpath/s" &
while [ ! -S "$dbpath/s" ]; do sleep 0.1; done
exec "${process.execPath}" "${relay}" "\${bind_ip##*,}:$port" "$dbpath/s"
`
  await writeFile(path, script)
  await chmod(path, 0o755)
  return path
}

const missing = findMissing(readCapabilities(), ['ip', 'unshare'])

describe.skipIf(missing !== undefined)('on this machine', () => {
  test('three members are started on hosts of their own, and a server that forms no set is said to be none', async () => {
    await expect(startReplicaSet({ mongod: await writeStandIn() })).rejects.toThrow(/replSetInitiate/)
  })
})
