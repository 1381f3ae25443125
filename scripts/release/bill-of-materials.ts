import { z } from 'zod'

const LockEntry = z.object({ version: z.string(), license: z.string().optional(), integrity: z.string().optional() })
const Lock = z.object({ packages: z.record(z.string(), z.unknown()) })

interface BillOptions {
  /** The parsed lockfile. */
  lockfile: unknown
  /** Folders of the packages in the release, such as `node_modules/koa`. */
  packages: readonly string[]
  version: string
  /** What the release contains besides them: package with version, as in `whisper.rn@0.7.4`, with its licence and integrity. */
  sources: readonly { spec: string; license: string; integrity: string }[]
}

/** Licences of packages whose lockfile entry has none, from their LICENSE files. */
const undeclared: Record<string, string> = {
  busboy: 'MIT',
  streamsearch: 'MIT',
  'parse-cache-control': 'BSD-3-Clause',
}

/**
 * Returns the software bill of materials of a release (CycloneDX 1.6, JSON): every package in it with version, licence and the SHA-512
 * that npm checked. It has neither a timestamp nor a serial number, so that the same content produces the same file.
 */
export function makeBillOfMaterials({ lockfile, packages, version, sources }: BillOptions): object {
  const lock = Lock.parse(lockfile)
  const listed = packages.map((path) => toComponent(packageName(path), LockEntry.parse(lock.packages[path])))
  const built = sources.map(({ spec, ...entry }) => {
    const at = spec.lastIndexOf('@')
    return toComponent(spec.slice(0, at), { ...entry, version: spec.slice(at + 1) })
  })
  const components = new Map([...listed, ...built].map((component) => [component.purl, component]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'awaz', version } },
    components: [...components.values()],
  }
}

function packageName(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function toComponent(name: string, entry: z.infer<typeof LockEntry>) {
  const { version, license = undeclared[name], integrity } = entry
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const hash = /^sha512-(.+)$/.exec(integrity ?? '')?.[1]
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license !== undefined && { licenses: [toLicense(license)] }),
    ...(hash !== undefined && { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
  }
}

/** CycloneDX distinguishes a single SPDX licence from an expression of several. */
function toLicense(license: string) {
  return / (?:AND|OR|WITH) /.test(license) ? { expression: license } : { license: { id: license } }
}
