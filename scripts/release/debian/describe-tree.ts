import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface TreeDescription {
  /** Content of the file md5sums, which `dpkg --verify` reads. */
  md5sums: string
  /** Disk space that the files take once installed, computed as in the Debian Policy. */
  installedKb: number
  /** The newest version of glibc whose symbols a native file needs, such as `2.34`. */
  glibc: string
  /** The newest version of libstdc++ symbols that a native file needs, such as `3.4.30`. */
  libstdcxx: string
}

/** Reads every file below the root folder of a package. */
export async function describeTree(root: string): Promise<TreeDescription> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const description: TreeDescription = { md5sums: '', installedKb: entries.length, glibc: '2.0', libstdcxx: '3.4.0' }
  for (const file of files.toSorted()) {
    const content = await readFile(file)
    const md5 = createHash('md5').update(content).digest('hex')
    description.md5sums += `${md5}  ${file.slice(root.length + 1)}\n`
    description.installedKb += Math.ceil(content.length / 1024) - 1
    if (content.subarray(0, 4).toString('latin1') !== '\u007FELF') continue
    const text = content.toString('latin1')
    description.glibc = newest(text, /GLIBC_(2\.\d+)\b/g, description.glibc)
    description.libstdcxx = newest(text, /GLIBCXX_(3\.4\.\d+)\b/g, description.libstdcxx)
  }
  return description
}

function newest(text: string, pattern: RegExp, known: string): string {
  const versions = [...text.matchAll(pattern)].map(([, version = '']) => version)
  const collator = new Intl.Collator('en', { numeric: true })
  return [known, ...versions].toSorted(collator.compare).at(-1) ?? known
}
