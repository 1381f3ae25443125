// npm run image:test: builds the image of the Dockerfile, then starts Awaz from it, from a release folder and from this clone: as uid
// 10001, on a read-only root, without network or build tools. Then installs, upgrades, removes and purges the Debian package in a bare
// root. Needs root, buildah, debootstrap, dpkg-deb, and the Debian and npm registries.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { makeBaseImage, makeNodeImage } from './image/base-images.ts'
import { createBuildah, type Buildah } from './image/buildah.ts'
import type { Installation } from './image/container.ts'
import { carryPackage, readPackageCommands, runInRoot } from './image/debian-package.ts'
import { giveUp, requireTools } from './image/tools.ts'

const root = dirname(import.meta.dirname)
const command = 'npm run image:test'
const maxMegabytes = 700
const trialScript = join(root, 'scripts/image/trial.ts')
const packageTrialScript = join(root, 'scripts/image/package-trial.ts')

const OciConfig = z.object({
  OCIv1: z.object({
    config: z.object({
      Env: z.array(z.string()),
      Entrypoint: z.array(z.string()),
      Cmd: z.array(z.string()),
      User: z.string(),
      WorkingDir: z.string(),
    }),
  }),
})

requireTools(command, ['buildah', 'debootstrap', 'dpkg-deb', 'unshare', 'setpriv', 'ip', 'npm'])
const work = await mkdtemp(join(tmpdir(), 'awaz-image-'))
const buildah = createBuildah(work)
try {
  try {
    step('base image by debootstrap', () => makeBaseImage(buildah))
    step('build image with Node and npm', () => makeNodeImage(buildah, root))
  } catch (error) {
    await cleanUp()
    giveUp(command, `the base images cannot be made: ${String(error)}`)
  }
  step('image by Dockerfile', () => buildImage(buildah))
  const release = join(work, 'release')
  step('release folder', () => node('scripts/release.ts', '--folder', release))
  const installations = [await fromImage(buildah), await fromRelease(buildah, release), await fromClone(buildah)]
  for (const installation of installations) runTrial(installation.name, trialScript, [JSON.stringify(installation)])
  await tryPackage(buildah)
} finally {
  await cleanUp()
}
console.log('The image, the release folder, the clone and the Debian package start and work.')

async function cleanUp() {
  buildah.run('rm', '--all')
  await rm(work, { recursive: true, force: true })
}

function step(name: string, work: () => void) {
  const startMs = performance.now()
  work()
  console.log(`ok   ${name}: ${Math.round((performance.now() - startMs) / 1000)} s`)
}

function node(...args: string[]) {
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Builds the image as a user would, except for the base images and npm's cache. */
function buildImage({ build }: Buildah) {
  const npmCache = join(homedir(), '.npm')
  build([
    '--layers=false',
    '--pull-never',
    '--build-arg=NODE_IMAGE=localhost/awaz-node',
    '--build-arg=BASE_IMAGE=localhost/awaz-base',
    ...(existsSync(npmCache) ? [`--volume=${npmCache}:/root/.npm`] : []),
    '--tag=awaz',
    root,
  ])
}

async function fromImage({ open, run }: Buildah): Promise<Installation> {
  const { name, root: rootDir } = open('awaz')
  const { config } = OciConfig.parse(JSON.parse(run('inspect', name))).OCIv1
  if (config.User !== '10001') throw new Error(`The image runs as ${config.User}, not as 10001`)
  const megabytes = Number.parseInt(execFileSync('du', ['-sm', '--apparent-size', rootDir], { encoding: 'utf8' }), 10)
  console.log(`${megabytes <= maxMegabytes ? 'ok  ' : 'FAIL'} size of the image unpacked: ${megabytes} MB`)
  if (megabytes > maxMegabytes) throw new Error(`The image must have at most ${maxMegabytes} MB unpacked`)
  return {
    name: 'image',
    root: rootDir,
    overlays: [],
    workDir: config.WorkingDir,
    env: [...config.Env, 'GATE_REQUIRES_2FA=false'],
    command: [...config.Entrypoint, ...config.Cmd],
    healthcheck: ['/app/docker/healthcheck.sh'],
  }
}

/** Runs on a bare Debian: no Node, no ffmpeg, no compiler. */
async function fromRelease({ open }: Buildah, release: string): Promise<Installation> {
  const { root: rootDir } = open('awaz-base')
  await mkdir(join(rootDir, 'opt/awaz'))
  await mkdir(join(rootDir, 'data'))
  return {
    name: 'release folder',
    root: rootDir,
    overlays: [`${release}:/opt/awaz`],
    workDir: '/',
    env: ['PATH=/usr/bin:/bin', 'DATA_DIR=/data', 'GATE_REQUIRES_2FA=false'],
    command: ['/opt/awaz/awaz'],
  }
}

/**
 * Runs this installed checkout, with its web app made to look stale, on a machine with only Node and npm. Starts the script of `npm start`
 * directly: npm exits with 1 after SIGTERM, and would kill the others by being the first process.
 */
async function fromClone({ open }: Buildah): Promise<Installation> {
  const { root: rootDir } = open('awaz-node')
  await mkdir(join(rootDir, 'app'))
  await mkdir(join(rootDir, 'data'))
  const otherStamp = join(work, 'stamp')
  await writeFile(otherStamp, 'of other sources')
  return {
    name: 'clone',
    root: rootDir,
    overlays: [`${root}:/app`, `${otherStamp}:/app/web/dist/.build-stamp`],
    workDir: '/app',
    env: ['PATH=/usr/local/bin:/usr/bin:/bin', 'DATA_DIR=/data', 'HOME=/tmp', 'GATE_REQUIRES_2FA=false'],
    command: ['node', 'scripts/bootstrap.mjs', 'scripts/start.ts'],
  }
}

/** Runs the commands of docs/deployment.md on a bare Debian, then everything else there. */
async function tryPackage({ open }: Buildah) {
  const packages = join(work, 'packages')
  await mkdir(packages)
  step('Debian package', () => node('scripts/release.ts', '--deb', '--to', packages))
  const { root: rootDir } = open('awaz-base')
  const file = carryPackage(rootDir, packages)
  const page = await readFile(join(root, 'docs/deployment.md'), 'utf8')
  const { install, answer } = readPackageCommands(page, basename(file))
  const startMs = performance.now()
  for (const line of install) {
    const output = await runInRoot(rootDir, line)
    console.log(`ok   ${line}: ${output.trimEnd().split('\n').at(-1)}`)
    if (line === install.at(-1)) assert.match(output, /hello my brother/)
  }
  const installMs = performance.now() - startMs
  runTrial('Debian package', packageTrialScript, [rootDir, file, answer])
  const seconds = (ms: number) => Math.round(ms / 1000)
  console.log(
    `ok   Debian package: ${seconds(installMs)} s to the first transcript, ${seconds(performance.now() - startMs)} s for all`,
  )
}

/** Runs in a network namespace with only the loopback device. */
function runTrial(name: string, script: string, parameters: string[]) {
  const args = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, script, ...parameters]
  const { status } = spawnSync('unshare', args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`The ${name} does not hold what docs/deployment.md promises; see above.`)
}
