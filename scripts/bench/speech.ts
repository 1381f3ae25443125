import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findSpeechModel } from '#engine/models/catalog.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { measureBuilds } from './speech/builds.ts'
import { measurePacking } from './speech/packing.ts'
import { writeRandomWhisper } from './speech/random-whisper.ts'

/** At most this share of the CPU time of whole windows, and of the default build's. */
const wanted = { packing: 0.65, builds: 0.2 }

const usage = `Usage: npm run bench -- speech [--minutes N] [--builds [--rounds N]]

Without --builds: a generated stereo call of N minutes (20), windows packed from speech against whole ones of 30 s.
With --builds: the build of Whisper in use against smart-whisper's default one, which is built in a temporary folder.
Both run a model of the size of Whisper tiny with random weights on one thread and count CPU time.`

/** `npm run bench -- speech`: prints the figures and ends with status 1 where a ratio is not reached. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '3' },
      builds: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(usage)
    return
  }
  const workDir = await mkdtemp(join(tmpdir(), 'awaz-bench-'))
  const onProgress = (text: string) => console.error(`  … ${text}`)
  try {
    const model = await randomModel(workDir)
    if (values.builds) await compareBuilds(model, { workDir, rounds: Number(values.rounds), onProgress })
    else await comparePacking(model, { workDir, minutes: Number(values.minutes), onProgress })
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

/** A standard Whisper of the catalogue with other weights. */
async function randomModel(workDir: string): Promise<SpeechModel> {
  const path = join(workDir, 'random-tiny.bin')
  await writeRandomWhisper(path, (await findSpeechModel('demo-speech')).path)
  return { ...(await findSpeechModel('whisper-tiny')), path, sizeBytes: null, sha1: null, sha256: null }
}

async function comparePacking(model: SpeechModel, options: Parameters<typeof measurePacking>[1]): Promise<void> {
  const { windows, cpuMs, speechShare } = await measurePacking(model, options)
  console.log(`A stereo call of ${options.minutes} minutes; ${percent(speechShare)} of each channel is speech.`)
  console.table({
    'whole 30 s windows': { windows: windows.whole, 'CPU s': seconds(cpuMs.whole) },
    'packed from speech': { windows: windows.packed, 'CPU s': seconds(cpuMs.packed) },
  })
  verdict('packed against whole', cpuMs.packed / cpuMs.whole, wanted.packing)
}

async function compareBuilds(model: SpeechModel, options: Parameters<typeof measureBuilds>[1]): Promise<void> {
  const { fastMs, defaultMs } = await measureBuilds(model, options)
  console.log('One window of 30 s and 60 tokens, CPU seconds by round.')
  console.table({ 'build in use': fastMs.map(seconds), 'default build': defaultMs.map(seconds) })
  verdict('build in use against default build', sum(fastMs) / sum(defaultMs), wanted.builds)
}

function verdict(what: string, ratio: number, most: number): void {
  const isReached = ratio <= most
  console.log(`${isReached ? 'reached    ' : 'NOT REACHED'}  ${what}: ${ratio.toFixed(3)}, at most ${most}`)
  if (!isReached) process.exitCode = 1
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`
}
