// What tests may need besides Node, npm and g++. Imports nothing from vitest: scripts/test.ts reads it before a run.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from './chromium.ts'
import { findExecutable } from './find-executable.ts'
import { gemmaPath, readersDir, realDataDir, realModelsDir, whisperCt2Dir, whisperOnnxDir } from './real-data.ts'

interface NeedDefinition {
  /** The tests that are skipped if it is missing. */
  tests: string
  /** Tells a person how to get it. */
  remedy: string
  /** Whether Debian packages it; a run with CI=true then fails without it. */
  isPackaged: boolean
  isPresent: () => boolean
}

const needs = {
  chromium: fromDebian('chromium-headless-shell', 'tests in a browser', () => findChromium() !== undefined),
  slapd: fromDebian('slapd', 'sign-in by a directory', () => areThere(['/usr/sbin/slapd', '/usr/lib/ldap'])),
  openssl: fromDebian('openssl', 'connections with certificates of a test', () => isOnPath('openssl')),
  bzip2: fromDebian('bzip2', 'archives of models compressed by bzip2', () => isOnPath('bzip2')),
  ffmpeg: fromDebian('ffmpeg', 'calls mixed for a test', () => isOnPath('ffmpeg')),
  nginx: fromDebian('nginx-light', 'Awaz behind nginx', () => areThere(['/usr/sbin/nginx'])),
  caddy: fromDebian('caddy', 'Awaz behind Caddy', () => isOnPath('caddy')),
  prometheus: fromDebian('prometheus', "Prometheus' own checks of metrics and alerts", () => isOnPath('promtool')),
  systemd: fromDebian(
    'systemd',
    'the service and its installation',
    () => isOnPath('systemd-sysusers') && isOnPath('systemd-analyze'),
  ),
  dpkg: fromDebian('dpkg', 'the Debian package', () => isOnPath('dpkg-deb')),
  mount: fromElsewhere('full and read-only disks', 'run them as root where root may mount', canMount),
  recordings: fromElsewhere('recordings of people', 'REAL_DATA_DIR names the folder with speech/manifest.tsv', () =>
    areThere([join(realDataDir, 'speech', 'manifest.tsv')]),
  ),
  readers: fromElsewhere('a mono call with three voices', 'REAL_DATA_DIR names the folder with speakers', () =>
    areThere([readersDir]),
  ),
  whisperBase: fromWeights('Whisper base', join(realModelsDir, 'ggml-base.bin')),
  whisperOnnx: fromWeights('Whisper base in ONNX format', join(whisperOnnxDir, 'tokens.txt')),
  whisperCt2: fromWeights('Whisper base of CTranslate2', join(whisperCt2Dir, 'model.bin')),
  gemma: fromWeights('Gemma 3 270M', gemmaPath),
  speechServer: fromElsewhere(
    'a real transcription server',
    'AWAZ_SPEECH_SERVER_PYTHON names a Python with faster-whisper-server',
    () => areThere([process.env.AWAZ_SPEECH_SERVER_PYTHON ?? '']),
  ),
  llamaServer: fromElsewhere("llama.cpp's own server", 'AWAZ_LLAMA_SERVER_PYTHON names a Python with xllamacpp', () =>
    areThere([process.env.AWAZ_LLAMA_SERVER_PYTHON ?? '']),
  ),
} satisfies Record<string, NeedDefinition>

export type Need = keyof typeof needs

/** Returns what is missing on this machine, in the order of the list. */
export function findMissingNeeds(): Need[] {
  const names = Object.keys(needs) as Need[] // the keys of a literal
  return names.filter(isMissing)
}

/** Returns whether this need is missing although Debian packages it. */
export function isMissingPackage(need: Need): boolean {
  return needs[need].isPackaged && isMissing(need)
}

/** Returns one line for people: what is skipped without this need, and how to get it. */
export function describeNeed(need: Need): string {
  return `${needs[need].tests} (${needs[need].remedy})`
}

/** Returns whether any of these is missing, for `skipIf`. A run names what it skips, before it begins and in its last line. */
export function lacks(...names: Need[]): boolean {
  return names.some(isMissing)
}

/** Returns why something that needs all of these cannot run here, or undefined when it can. */
export function absenceOf(...names: Need[]): string | undefined {
  const missing = names.filter(isMissing)
  return missing.length === 0 ? undefined : `Missing here: ${missing.map(describeNeed).join('; ')}`
}

const absences = new Map<Need, boolean>()

function isMissing(need: Need): boolean {
  const isKnownMissing = absences.get(need) ?? !needs[need].isPresent()
  absences.set(need, isKnownMissing)
  return isKnownMissing
}

function fromDebian(name: string, tests: string, isPresent: () => boolean): NeedDefinition {
  return { tests, remedy: `apt-get install ${name}`, isPackaged: true, isPresent }
}

function fromElsewhere(tests: string, remedy: string, isPresent: () => boolean): NeedDefinition {
  return { tests, remedy, isPackaged: false, isPresent }
}

function fromWeights(name: string, path: string): NeedDefinition {
  const isPresent = () => realModelsDir !== '' && existsSync(path)
  return fromElsewhere(`real weights of ${name}`, 'AWAZ_REAL_MODELS names the folder that .ci/run prepares', isPresent)
}

function areThere(paths: string[]): boolean {
  return paths.every((path) => existsSync(path))
}

function isOnPath(program: string): boolean {
  return findExecutable([program]) !== undefined
}

/** Tries a mount in a separate namespace, which ends with the command. */
function canMount(): boolean {
  return spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
}
