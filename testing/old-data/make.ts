// Makes the data folder of an earlier commit, for the test that opens it: make.ts COMMIT WORKTREE [office]. Needs git, npm and, for
// commits that build their own addon, g++. Writes testing/old-data/COMMIT.tar.gz and COMMIT.json, or COMMIT-office.*.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findFfmpeg } from '#engine/audio/ffmpeg.ts'
import { openDataFile } from '#server/embedded-db/storage/read-data-file.ts'
import { fill } from './fill.ts'
import { fillOffice } from './fill-office.ts'
import type { OfficeData, OldData } from './old-data.ts'
import { checkOut, startOldProduct } from './old-product.ts'

const root = resolve(import.meta.dirname, '../..')
const [commit = '', worktree = '', kind] = process.argv.slice(2)
const isOffice = kind === 'office'
const name = isOffice ? `${commit}-office` : commit
/** Allows more uploads than the hourly limit, and webhooks to this host. */
const officeSettings = { RATE_UPLOAD_PER_HOUR: '1000', WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' }
const tempDir = await mkdtemp(join(tmpdir(), 'awaz-old-data-'))
const dataDir = join(tempDir, 'data')

checkOut(root, commit, resolve(worktree))
const product = await startOldProduct(resolve(worktree), dataDir, isOffice ? officeSettings : {})
const [email = '', password = ''] = (await readFile(join(dataDir, 'initial-admin-password'), 'utf8')).split('\n')
const made = await (isOffice ? fillOffice : fill)({
  url: product.url,
  initial: { email, password },
  sample: join(root, 'models/demo/sample-call.mp3'),
  tempDir,
  ffmpeg: (await findFfmpeg()).path,
}).finally(() => product.stop())
const archive = join(import.meta.dirname, `${name}.tar.gz`)
const parts = ['db', 'audio', 'secrets', 'outbox']
execFileSync('tar', ['-czf', archive, '--owner=0', '--group=0', '--exclude=*.reserve', '-C', dataDir, ...parts])
const data = openDataFile(join(dataDir, 'db/awaz.sqlite'))
const documents = Object.fromEntries(data.collections('awaz').map(({ name, count }) => [name, count]))
data.close()
const description: OldData | OfficeData = { commit, madeAt: new Date().toISOString(), documents, ...made }
await writeFile(join(import.meta.dirname, `${name}.json`), `${JSON.stringify(description, undefined, 2)}\n`)
await rm(tempDir, { recursive: true })
console.log(archive)
