import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, test } from 'vitest'

import { loudStretches, mix, noise, silence, sine, writeWav } from '#testing/audio.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { decodeAudio } from './decode.ts'
import type { DecodedAudio } from './decoded-audio.ts'
import { findFfmpeg } from './ffmpeg.ts'

const current = await findFfmpeg()
// The ffmpeg from the npm package, for machines without one. Absent where optional packages are not installed.
const packaged = await findFfmpeg({ PATH: '/nowhere' }).catch(() => undefined)

async function ffmpeg(...args: string[]): Promise<void> {
  await promisify(execFile)(current.path, ['-nostdin', '-v', 'error', '-y', ...args])
}

/** Writes a stereo recording with 1.4 s of sound on each channel, one after the other. */
async function writeCall(): Promise<{ folder: string; wav: string }> {
  const folder = await temporaryFolder()
  const wav = join(folder, 'call.wav')
  const base = noise(6000, { db: -60 })
  const left = mix(base, [{ sound: sine(1400), atMs: 500 }])
  const right = mix(base, [{ sound: sine(1400, { hz: 700 }), atMs: 3500 }])
  await writeWav(wav, [left, right])
  return { folder, wav }
}

async function decodeIn(folder: string, source: string, ffmpegPath?: string): Promise<DecodedAudio> {
  const workDir = join(folder, 'work')
  await mkdir(workDir, { recursive: true })
  return decodeAudio(source, { workDir, ffmpegPath })
}

const formats: Record<string, string[]> = {
  wav: [],
  mp3: ['-b:a', '64k'],
  m4a: ['-c:a', 'aac'],
  flac: [],
  ogg: ['-c:a', 'libvorbis'],
  mp4: ['-f', 'lavfi', '-i', 'testsrc=d=6:s=64x48', '-c:a', 'aac', '-shortest'],
  webm: ['-c:a', 'libopus'],
}
const programs = [current, ...(packaged && packaged.path !== current.path ? [packaged] : [])]

describe.each(programs)('with ffmpeg from $source', ({ path }) => {
  test.each(Object.keys(formats))('decodes .%s to the same sound', async (extension) => {
    const { folder, wav } = await writeCall()
    const source = join(folder, `made.${extension}`)
    await ffmpeg('-i', wav, ...(formats[extension] ?? []), source)
    const decoded = await decodeIn(folder, source, path)
    expect(decoded).toMatchObject({ sampleRate: 16_000, channelCount: 2, isDualMono: false, warnings: [] })
    expect(Math.abs(decoded.durationMs - 6000)).toBeLessThan(60)
    for (const [channel, startMs] of [500, 3500].entries()) {
      const [span, ...more] = loudStretches(decoded.frames[channel] ?? new Float32Array())
      expect(more).toEqual([])
      expect(Math.abs((span?.startMs ?? 0) - startMs)).toBeLessThanOrEqual(60)
      expect(Math.abs((span?.endMs ?? 0) - startMs - 1400)).toBeLessThanOrEqual(60)
    }
  })

  test('brings other rates and channel counts to 16 kHz mono or stereo', async () => {
    const { folder, wav } = await writeCall()
    await ffmpeg('-i', wav, '-ac', '1', '-ar', '8000', '-c:a', 'pcm_mulaw', join(folder, 'telephone.wav'))
    await ffmpeg(
      '-i',
      wav,
      '-af',
      'pan=5.1|FL=c0|FR=c1|FC=0*c0|LFE=0*c0|BL=0*c0|BR=0*c0',
      join(folder, 'surround.flac'),
    )
    const telephone = await decodeIn(folder, join(folder, 'telephone.wav'), path)
    expect(telephone).toMatchObject({ channelCount: 1, durationMs: 6000, correlation: null })
    expect((await stat(telephone.pcmPath)).size).toBe(6 * 16_000 * 2)
    const surround = await decodeIn(folder, join(folder, 'surround.flac'), path)
    expect(surround).toMatchObject({ channelCount: 1, sourceChannelCount: 6, durationMs: 6000 })
  })

  test('mixes the sounds of four channels into one, and says so', async () => {
    const folder = await temporaryFolder()
    const tones = [400, 700, 1100, 1600].map((hz, index) =>
      mix(silence(4000), [{ sound: sine(500, { hz, db: -12 }), atMs: index * 1000 }]),
    )
    await writeWav(join(folder, 'four.wav'), tones)
    const decoded = await decodeIn(folder, join(folder, 'four.wav'), path)
    expect(decoded).toMatchObject({ channelCount: 1, sourceChannelCount: 4, durationMs: 4000 })
    expect(loudStretches(decoded.frames[0] ?? new Float32Array()).map(({ startMs }) => startMs)).toEqual([
      0, 1000, 2000, 3000,
    ])
    expect(decoded.warnings).toEqual([
      {
        code: 'mixed_channels',
        message: expect.stringMatching(/^This recording has 4 channels, which were mixed into one\./),
      },
    ])
  })

  test('rejects more than eight channels and says how to convert them', async () => {
    const folder = await temporaryFolder()
    await writeWav(
      join(folder, 'many.wav'),
      Array.from({ length: 16 }, () => noise(1000)),
    )
    await expect(decodeIn(folder, join(folder, 'many.wav'), path)).rejects.toMatchObject({
      code: 'unsupported_audio',
      message: 'This recording has 16 channels; at most 8 are read.',
      help: expect.stringContaining('ffmpeg -i recording.wav -ac 1 mono.wav'),
    })
  })

  test('keeps the times that a player shows where the sound starts late or has gaps', async () => {
    const { folder, wav } = await writeCall()
    const late = join(folder, 'late.mp4')
    await ffmpeg(
      '-f',
      'lavfi',
      '-i',
      'testsrc=d=9:s=64x48',
      '-itsoffset',
      '1',
      '-i',
      wav,
      '-map',
      '0:v',
      '-map',
      '1:a',
      late,
    )
    const paused = join(folder, 'paused.webm')
    await ffmpeg('-i', wav, '-af', "asetpts='PTS+if(gt(T,3),4/TB,0)'", '-c:a', 'libopus', paused)
    for (const [source, startMs] of [
      [late, 4500],
      [paused, 7500],
    ] as const) {
      const { frames } = await decodeIn(folder, source, path)
      const [span] = loudStretches(frames[1] ?? new Float32Array())
      expect(Math.abs((span?.startMs ?? 0) - startMs)).toBeLessThanOrEqual(60)
    }
  })

  describe('rejects with a message and leaves no file:', () => {
    const cases: [name: string, code: unknown, make: (path: string, wav: string) => Promise<void>][] = [
      ['a missing file', 'unreadable_audio', async () => undefined],
      ['a folder', 'unreadable_audio', async (file) => void (await mkdir(file))],
      ['0 bytes', 'unreadable_audio', (file) => writeFile(file, '')],
      ['a short text', 'unreadable_audio', (file) => writeFile(file, 'hello')],
      ['a long text', 'unreadable_audio', (file) => writeFile(file, 'hello there, how are you?\n'.repeat(20_000))],
      [
        'a text in UTF-16',
        'unreadable_audio',
        (file) => writeFile(file, `\uFEFF${'hello there '.repeat(9000)}`, 'utf16le'),
      ],
      ['an HLS list of a real recording', 'unsupported_audio', (file, wav) => writeFile(file, hlsList(wav))],
      [
        'a concat list of a real recording',
        'unsupported_audio',
        (file, wav) => writeFile(file, `ffconcat version 1.0\nfile '${wav}'\n`),
      ],
      ['an m4a cut in the middle', 'unreadable_audio', (file, wav) => writeCutM4a(file, wav)],
      ...['wav', 'mp3', 'webm'].map((format): (typeof cases)[number] => [
        `the first 3 kB of a ${format} file`,
        'unreadable_audio',
        (file, wav) => writeStart(file, wav, { format, share: (sizeBytes) => 3000 / sizeBytes }),
      ]),
      [
        'a video without sound',
        'no_audio',
        (file) => ffmpeg('-f', 'lavfi', '-i', 'testsrc=d=1:s=64x48', '-f', 'mp4', file),
      ],
      ['a recording without a sample', 'no_audio', (file) => writeWav(file, [silence(0)])],
      // Which of the two errors is returned depends on the random bytes.
      [
        'random bytes',
        expect.stringMatching(/^un(readable|supported)_audio$/),
        (file) => writeFile(file, randomBytes(2_000_000)),
      ],
    ]

    test.each(cases)('%s', async (_, code, make) => {
      const { folder, wav } = await writeCall()
      const source = join(folder, 'x.mp3')
      await make(source, wav)
      await expect(decodeIn(folder, source, path)).rejects.toMatchObject({
        name: 'AppError',
        code,
        message: expect.stringMatching(/^(This|The|x\.mp3) .+\.$/),
      })
      expect(await readdir(join(folder, 'work'))).toEqual([])
    })
  })

  test('decodes the readable part of a damaged recording with a warning', async () => {
    const { folder, wav } = await writeCall()
    const cut = join(folder, 'cut.webm')
    await ffmpeg('-i', wav, '-c:a', 'libopus', cut)
    await writeFile(cut, (await readFile(cut)).subarray(0, -2000))
    const decoded = await decodeIn(folder, cut, path)
    expect(decoded.durationMs).toBeGreaterThan(3000)
    expect(decoded.warnings).toEqual([expect.objectContaining({ code: 'damaged_audio' })])
  })

  test.each(['wav', 'mp3'])(
    'decodes the first half of a %s file with a warning, and the whole without',
    async (format) => {
      const { folder, wav } = await writeCall()
      const source = join(folder, 'x.mp3')
      const read = async (share: number) => {
        await writeStart(source, wav, { format, share: () => share })
        const { durationMs, warnings } = await decodeIn(folder, source, path)
        return { seconds: Math.round(durationMs / 1000), warnings: warnings.map(({ code }) => code) }
      }
      expect(await read(0.5)).toEqual({ seconds: 3, warnings: ['damaged_audio'] })
      expect(await read(1)).toEqual({ seconds: 6, warnings: [] })
    },
  )

  test('a recording whose header leaves its length open is no damaged one', async () => {
    const { folder, wav } = await writeCall()
    const bytes = await readFile(wav)
    for (const size of [0, 0x7f_ff_f0_00, 0x80_00_00_00, 0xff_ff_ff_ff]) {
      bytes.writeUInt32LE(size, bytes.indexOf('data') + 4)
      const open = join(folder, 'open.wav')
      await writeFile(open, bytes)
      expect((await decodeIn(folder, open, path)).warnings).toEqual([])
    }
  })
})

/** Writes the first part of a recording in the given format. */
async function writeStart(
  file: string,
  wav: string,
  { format, share }: { format: string; share: (sizeBytes: number) => number },
): Promise<void> {
  const whole = `${file}.${format}`
  await ffmpeg('-i', wav, ...(formats[format] ?? []), whole)
  const bytes = await readFile(whole)
  // Whole samples: ffmpeg reports nothing about missing ones.
  const missing = 4 * Math.round((bytes.length * (1 - share(bytes.length))) / 4)
  await writeFile(file, bytes.subarray(0, bytes.length - missing))
}

function hlsList(wav: string): string {
  return `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n${wav}\n#EXT-X-ENDLIST\n`
}

async function writeCutM4a(file: string, wav: string): Promise<void> {
  await ffmpeg('-i', wav, '-c:a', 'aac', '-f', 'mp4', file)
  const bytes = await readFile(file)
  await writeFile(file, bytes.subarray(0, bytes.length / 2))
}

describe('limits', () => {
  test('a recording longer than the limit is rejected, one of exactly the limit is not', async () => {
    const { folder, wav } = await writeCall()
    const workDir = join(folder, 'work')
    await mkdir(workDir)
    await expect(decodeAudio(wav, { workDir, maxDurationMs: 5000 })).rejects.toMatchObject({
      code: 'unsupported_audio',
      message: 'The recording is longer than 5 seconds.',
    })
    expect(await readdir(workDir)).toEqual([])
    expect(await decodeAudio(wav, { workDir, maxDurationMs: 6000 })).toMatchObject({ durationMs: 6000 })
  })
})
