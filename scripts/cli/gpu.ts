import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { withCommandName } from './command-name.ts'

const root = dirname(dirname(import.meta.dirname))
const scopeDir = join(root, 'node_modules', '@node-llama-cpp')

/** Packages of each GPU build, without the `@node-llama-cpp/` scope: about 540 MB for CUDA, 70 MB for Vulkan. */
const builds: Record<string, string[]> = {
  cuda: ['linux-x64-cuda', 'linux-x64-cuda-ext'],
  vulkan: ['linux-x64-vulkan'],
}

const usage = `Usage: npm run awaz -- gpu install cuda|vulkan

Fetches the GPU build of the translation engine from the npm registry. It is used when TRANSLATION_GPU names it.`

/** `awaz gpu install cuda|vulkan`. The lockfile holds only the CPU builds. */
export async function run(args: string[]): Promise<number> {
  const [action, name = ''] = args
  const packages = action === 'install' && Object.hasOwn(builds, name) ? builds[name] : undefined
  if (!packages) {
    console.log(withCommandName(usage))
    return args.length === 0 || args.includes('--help') ? 0 : 1
  }
  if (process.arch !== 'x64') throw new AppError('invalid_input', 'GPU builds exist for x64 alone.')
  const version = await llamaVersion()
  for (const pack of packages) await fetchPackage(pack, version)
  console.log(`Installed. Start Awaz with TRANSLATION_GPU=${name}.`)
  return 0
}

async function llamaVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(root, 'node_modules/node-llama-cpp/package.json'), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version)
  throw new AppError('internal', 'node-llama-cpp is not installed; run npm start once.')
}

/** Unpacks a package beside the installed ones; npm checks its integrity. `npm install` would remove packages not in the lockfile. */
async function fetchPackage(name: string, version: string): Promise<void> {
  await mkdir(scopeDir, { recursive: true })
  const tempDir = await mkdtemp(join(scopeDir, '.fetch-'))
  try {
    console.log(`Fetching @node-llama-cpp/${name} ${version}...`)
    const packed = spawnSync(
      'npm',
      ['pack', `@node-llama-cpp/${name}@${version}`, '--silent', '--pack-destination', tempDir],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const tarball = packed.stdout?.trim().split('\n').at(-1)
    if (packed.status !== 0 || !tarball) {
      throw new AppError(
        'unavailable',
        `@node-llama-cpp/${name} ${version} could not be fetched from the npm registry.`,
      )
    }
    const unpacked = spawnSync('tar', ['-xzf', join(tempDir, basename(tarball)), '-C', tempDir])
    if (unpacked.status !== 0) throw new AppError('internal', `${tarball} could not be unpacked.`)
    await rm(join(scopeDir, name), { recursive: true, force: true })
    await rename(join(tempDir, 'package'), join(scopeDir, name))
  } finally {
    await rm(tempDir, { recursive: true, force: true })
  }
}
