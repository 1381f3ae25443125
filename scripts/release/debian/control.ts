import type { TreeDescription } from './describe-tree.ts'

/** dpkg's names of processor architectures, by process.arch. */
export const debianArchitectures: Partial<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The GCC release that introduced a version of libstdc++'s symbols, by the last number of that version. */
const gccReleases: Record<string, string> = { 29: '11', 30: '12', 31: '13.1', 32: '13.2', 33: '14', 34: '15' }
const oldestGcc = '11'

interface ControlOptions extends Pick<TreeDescription, 'installedKb' | 'glibc' | 'libstdcxx'> {
  version: string
  architecture: string
  /** Name and address, as in `Jane Doe <jane@example.org>`. */
  maintainer: string
}

/** Returns the file `control` of the Debian package. */
export function formatControl(options: ControlOptions): string {
  const { version, architecture, maintainer, installedKb, glibc, libstdcxx } = options
  const depends = [
    `libc6 (>= ${glibc})`,
    `libstdc++6 (>= ${gccRelease(libstdcxx)})`,
    'libgcc-s1',
    'ffmpeg',
    'debconf | debconf-2.0',
    // The service, its user and its folders.
    'systemd',
  ]
  const fields = {
    Package: 'awaz',
    Version: version,
    Architecture: architecture,
    Maintainer: maintainer,
    'Installed-Size': installedKb,
    Depends: depends.join(', '),
    Section: 'sound',
    Priority: 'optional',
    Description: 'transcription and translation of recordings on your own machines',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  const more = [
    'Awaz is a server with a web app that transcribes recordings of calls,',
    'translates them and searches them. It needs no network once it is installed.',
  ]
  return [...lines, ...more.map((line) => ` ${line}`), ''].join('\n')
}

/** Returns the package's changelog, which refers to Awaz's own. */
export function formatChangelog(options: { version: string; maintainer: string; time: Date }): string {
  const date = options.time.toUTCString().replace('GMT', '+0000')
  return `awaz (${options.version}) stable; urgency=medium\n\n  * See /opt/awaz/CHANGELOG.md.\n\n -- ${options.maintainer}  ${date}\n`
}

/** For a version newer than those listed, requires the newest GCC in the list: dpkg then rejects systems that are certainly too old. */
function gccRelease(libstdcxx: string): string {
  const minor = Number(libstdcxx.split('.')[2])
  const known = Object.keys(gccReleases).map(Number)
  const found = known.filter((each) => each <= minor).at(-1)
  return (found !== undefined && gccReleases[found]) || oldestGcc
}
