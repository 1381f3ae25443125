import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const packageFile = new URL('../../package.json', import.meta.url)
/** Written by `npm run release`: the version with the commit it was built from, and the processor. */
const releaseFile = new URL('../../RELEASE', import.meta.url)

/** Version of the product: that of this release, or else the one in package.json. */
export const version = readVersion()

function readVersion(): string {
  const [released] = existsSync(releaseFile) ? readFileSync(releaseFile, 'utf8').split(' ') : []
  return released ?? z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version
}
