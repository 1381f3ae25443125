import { readFile } from 'node:fs/promises'
import { arch, availableParallelism, cpus, freemem, loadavg, platform, release, totalmem, uptime } from 'node:os'
import type { Config } from '#data/config.ts'
import { dataVersion } from '#data/data-version.ts'
import { readDiskRoom } from '#data/health/disk-room.ts'
import { version as awazVersion } from '#data/version.ts'
import { findFfmpeg } from '#engine/audio/ffmpeg.ts'
import { hasExactInt8Here } from '#engine/models/cpu-features.ts'
import { anyOf, fields, flag, listOf, moment, number, oneOf, pattern, version, wordsIn } from '../allow-list.ts'
import { objectFile, type SupportFile } from '../archive.ts'

const distributions = [
  'debian',
  'ubuntu',
  'rhel',
  'centos',
  'rocky',
  'almalinux',
  'fedora',
  'opensuse-leap',
  'sles',
  'alpine',
  'arch',
]
/** Manufacturers and processor families. The name of a virtual machine's processor may be any text. */
const cpuWords = [
  'Intel',
  'Xeon',
  'Core',
  'Atom',
  'Celeron',
  'Gold',
  'Silver',
  'Platinum',
  'AMD',
  'EPYC',
  'Ryzen',
  'Opteron',
  'QEMU',
  'Apple',
]
const room = fields({ free_bytes: number, size_bytes: number, free_files: number })

const shapes = {
  made_at: moment,
  awaz: version,
  data_version: number,
  node: version,
  release_folder: flag,
  os: fields({
    platform: oneOf(['linux', 'darwin', 'win32', 'freebsd']),
    kernel: version,
    distribution: oneOf(distributions),
    distribution_version: anyOf([version, pattern(/\d{1,3}/)]),
    uptime_s: number,
  }),
  cpu: fields({
    arch: oneOf(['x64', 'arm64']),
    words: wordsIn(cpuWords),
    cores: number,
    usable_cores: number,
    mhz: number,
    exact_int8: flag,
    load: listOf(number),
  }),
  memory: fields({ total_bytes: number, free_bytes: number }),
  disks: fields({ data: room, backup: room }),
  ffmpeg: fields({
    version,
    source: oneOf(['FFMPEG_PATH', 'PATH', 'ffmpeg-static', '@ffmpeg-installer']),
    has_warning: flag,
  }),
}

/** Returns this machine's versions and sizes. `config` is undefined if the settings are invalid. */
export async function describeHost(config: Config | undefined, env: NodeJS.ProcessEnv): Promise<SupportFile> {
  const [cpu] = cpus()
  const { ID: distribution, VERSION_ID: distributionVersion } = await readOsRelease()
  const host = {
    made_at: new Date(),
    awaz: awazVersion,
    data_version: dataVersion,
    node: process.version,
    release_folder: env.AWAZ_COMMAND !== undefined,
    os: {
      platform: platform(),
      kernel: release(),
      distribution,
      distribution_version: distributionVersion,
      uptime_s: Math.round(uptime()),
    },
    cpu: {
      arch: arch(),
      words: cpu?.model,
      cores: cpus().length,
      usable_cores: availableParallelism(),
      mhz: cpu?.speed,
      exact_int8: await hasExactInt8Here(),
      load: loadavg(),
    },
    memory: { total_bytes: totalmem(), free_bytes: freemem() },
    disks: { data: await readRoom(config?.dataDir), backup: await readRoom(config?.backup.folder) },
    ffmpeg: await describeFfmpeg(env),
  }
  return objectFile('host', 'versions of Awaz, Node, the system and ffmpeg; processor, memory, disks', shapes, host)
}

async function readOsRelease(): Promise<Record<string, string>> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)="?([^"\n]*)"?$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
}

async function readRoom(folder: string | undefined) {
  if (folder === undefined) return null
  const found = await readDiskRoom(folder).catch(() => undefined) // the doctor says why
  return found ? { free_bytes: found.freeBytes, size_bytes: found.sizeBytes, free_files: found.freeFiles } : null
}

async function describeFfmpeg(env: NodeJS.ProcessEnv) {
  try {
    const { version: found, source, warning } = await findFfmpeg(env)
    return { version: found, source, has_warning: warning !== undefined }
  } catch {
    return null // the doctor says why
  }
}
