import { spawn, spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFfmpeg } from '#engine/audio/ffmpeg.ts'
import { roundCount } from '#testing/rounds.ts'
import { listProcesses } from '../chaos/process-table.ts'

const root = join(import.meta.dirname, '..', '..')
const sampleCall = join(root, 'models/demo/sample-call.mp3')
let dir: string
let ffmpeg: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'awaz-cli-'))
  ffmpeg = (await findFfmpeg()).path
})
afterAll(() => rm(dir, { recursive: true, force: true }))

interface Outcome {
  status: number | null
  stdout: string
  stderr: string
  /** The files that the command left in its temporary folder. */
  left: string[]
}

/** Runs `awaz ARGS` with its own temporary folder. */
async function awaz(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const temp = await mkdtemp(join(dir, 'tmp-'))
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/awaz.ts'), ...args], {
    env: { ...process.env, TMPDIR: temp, ...env },
    encoding: 'utf8',
    timeout: 150_000,
  })
  return { status, stdout, stderr, left: await readdir(temp) }
}

function encode(name: string, args: string[]): string {
  const path = join(dir, name)
  const { status, stderr } = spawnSync(ffmpeg, ['-v', 'error', '-y', ...args, path], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ffmpeg could not make ${name}: ${stderr}`)
  return path
}

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(dir, name)
  await writeFile(path, content)
  return path
}

/** Creates a models folder whose catalogue names a damaged copy of the demo speech model. */
async function damagedModel(name: string, damage: (path: string) => Promise<void>): Promise<Record<string, string>> {
  const modelsDir = join(dir, name)
  await mkdir(modelsDir)
  const path = join(modelsDir, 'damaged.bin')
  await copyFile(join(root, 'models/demo/demo-speech-q8_0.bin'), path)
  await damage(path)
  const entry = {
    id: 'damaged',
    name: 'Damaged',
    kind: 'speech',
    file: 'damaged.bin',
    url: null,
    sizeBytes: null,
    sha256: null,
    sha1: null,
  }
  const models = [{ ...entry, licence: 'MIT', languages: ['ps', 'en'] }]
  await writeFile(join(modelsDir, 'catalog.local.json'), JSON.stringify({ models }))
  return { MODELS_DIR: modelsDir, SPEECH_MODEL: 'damaged' }
}

const badInputs: {
  name: string
  args: () => Promise<string[]>
  env?: () => Promise<Record<string, string>>
  sentence: RegExp
}[] = [
  { name: 'an empty file', args: async () => [await write('empty.mp3', '')], sentence: /empty/i },
  {
    name: 'text named x.mp3',
    args: async () => [await write('x.mp3', 'not sound at all\n'.repeat(200))],
    sentence: /\w{4,}/,
  },
  {
    name: 'an HLS list named x.mp3',
    args: async () => [
      await write('list.mp3', `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${sampleCall}\n#EXT-X-ENDLIST\n`),
    ],
    sentence: /\w{4,}/,
  },
  {
    name: 'a cut m4a',
    args: async () => {
      const path = encode('cut.m4a', ['-f', 'lavfi', '-i', 'sine=duration=5', '-c:a', 'aac'])
      await truncate(path, 9000)
      return [path]
    },
    sentence: /\w{4,}/,
  },
  {
    name: 'a video without sound',
    args: async () => [encode('mute.mp4', ['-f', 'lavfi', '-i', 'color=size=64x64:duration=1', '-an'])],
    sentence: /sound|audio/i,
  },
  { name: 'an unknown language', args: async () => [sampleCall, '--language', 'tlh'], sentence: /"tlh"/ },
  {
    name: 'a missing file',
    args: async () => [join(dir, 'nowhere.wav')],
    sentence: /nowhere\.wav|not (exist|found)|no such/i,
  },
  {
    name: 'a corrupt model',
    args: async () => [sampleCall],
    env: () => damagedModel('corrupt', async (path) => writeFile(path, Buffer.alloc(1_000_000, 7))),
    sentence: /model/i,
  },
  {
    name: 'a model cut in the middle',
    args: async () => [sampleCall],
    env: () => damagedModel('cut', (path) => truncate(path, 4_000_000)),
    sentence: /model/i,
  },
]

test.each(badInputs)(
  'answers $name with a sentence, exit status 1 and nothing left',
  async ({ args, env, sentence }) => {
    const outcome = await awaz(['transcribe', ...(await args())], await env?.())
    expect(outcome.status).toBe(1)
    const message = outcome.stderr
      .split('\n')
      .filter((line) => line !== '' && !/^(Note:|Reading|Transcribing)/.test(line))
    expect(message).toHaveLength(1)
    expect(message[0]).toMatch(/^[A-Z"/].*\.$/)
    expect(message[0]).toMatch(sentence)
    expect(outcome.stdout).toBe('')
    expect(outcome.left).toEqual([])
  },
)

test('transcribes the sample call with the right speaker on every line, translated, as JSON', async () => {
  const out = join(dir, 'call.json')
  const args = ['transcribe', sampleCall, '--language', 'ps,en', '--translate', 'en', '--format', 'json', '--out', out]
  const outcome = await awaz(args)
  expect(outcome.stderr).toContain('Written to')
  const { transcription, translation, keyword_hits } = JSON.parse(await readFile(out, 'utf8'))
  const expected = JSON.parse(await readFile(join(root, 'models/demo/sample-call.json'), 'utf8'))
  const heard = transcription.segments.map(({ speaker, text }: { speaker: string; text: string }) => ({
    speaker,
    text,
  }))
  expect(heard).toEqual(
    expected.lines.map(({ speaker, text }: { speaker: string; text: string }) => ({ speaker, text })),
  )
  expect(translation.segments.map(({ translated_text }: { translated_text: string }) => translated_text)).toContain(
    'hello my friend',
  )
  expect(keyword_hits.transcription).toContainEqual({
    segment: 6,
    category: 'threats',
    keyword: 'وسله',
    start: 0,
    end: 4,
  })
  expect(outcome.left).toEqual([])
})

test('finds nothing in hours of silence', { tags: ['rounds'] }, async () => {
  const seconds = roundCount(20) * 360
  const silence = encode('silence.flac', ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', String(seconds)])
  const outcome = await awaz(['transcribe', silence, '--format', 'json'])
  expect(outcome.status).toBe(0)
  expect(JSON.parse(outcome.stdout).transcription).toMatchObject({
    transcription: '',
    segments: [],
    num_speakers: 0,
    duration: seconds,
  })
  expect(outcome.left).toEqual([])
})

test('ends on Ctrl-C with status 130 and leaves no process and no file', async () => {
  const long = encode('long.wav', ['-stream_loop', '3', '-i', sampleCall])
  const temp = await mkdtemp(join(dir, 'tmp-'))
  const out = join(dir, 'never.txt')
  const child = spawn(
    process.execPath,
    [join(root, 'scripts/awaz.ts'), 'transcribe', long, '--out', out, '--language', 'ps,en'],
    {
      env: { ...process.env, TMPDIR: temp },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => /Transcribing [1-9]/.test(text) && resolve())
  })
  expect(listProcesses(temp).length).toBeGreaterThan(1)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(listProcesses(temp)).toEqual([])
  expect(await readdir(temp)).toEqual([])
  expect(await readdir(dir)).not.toContain('never.txt')
})
