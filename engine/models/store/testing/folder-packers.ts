import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { lacks } from '#testing/needs.ts'
import { writeZip } from '#testing/write-zip.ts'

type PackFolder = (archive: string, folder: string) => Promise<void>

function packTar(flags: string): PackFolder {
  return async (archive, folder) => void execFileSync('tar', [flags, archive, '-C', folder, '.'])
}

async function packZip(archive: string, folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  await writeZip(archive, Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), path])))
}

/** The archive types by extension, each with its packing function; without tar.bz2 where there is no bzip2 to unpack it. */
export const folderPackers: [string, PackFolder][] = [
  ['zip', packZip],
  ['tar', packTar('-cf')],
  ['tar.gz', packTar('-czf')],
  ...(lacks('bzip2') ? [] : [['tar.bz2', packTar('-cjf')] satisfies [string, PackFolder]]),
]
