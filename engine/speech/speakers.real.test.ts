import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Segment } from '#contract/transcription.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { readWindow } from '#engine/audio/windows.ts'
import { writeWav } from '#testing/audio.ts'
import { lacks } from '#testing/needs.ts'
import { realDataDir } from '#testing/real-data.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { buildThreeVoices } from '#testing/three-voices.ts'
import { whisperBaseOnnxModel } from './onnx-whisper/testing/real-whisper-onnx.ts'
import { transcribeRecording } from './transcribe.ts'
import type { TranscribeOptions } from './transcribe.ts'

async function decodeThreeVoices(options: { turns?: number } = {}): Promise<DecodedAudio> {
  const workDir = await temporaryFolder()
  await buildThreeVoices(join(workDir, 'three.wav'), options)
  return decodeAudio(join(workDir, 'three.wav'), { workDir })
}

async function readAll(decoded: DecodedAudio): Promise<Float32Array> {
  const { durationMs } = decoded
  const times = { sourceStartMs: 0, sourceEndMs: durationMs, windowStartMs: 0 }
  const speech = { speechStartMs: 0, speechEndMs: durationMs, beginsTurn: true }
  return readWindow(decoded, 0, { pieces: [{ ...times, ...speech }], durationMs })
}

/** Decodes a recording with three voices, or their first turns, on the left channel and a fourth reader on the right. */
async function decodeSharedChannel(options: { turns?: number } = {}): Promise<DecodedAudio> {
  const workDir = await temporaryFolder()
  const left = await readAll(await decodeThreeVoices(options))
  const clip = join(realDataDir, 'speakers', '533-1066-0000.flac')
  const right = await readAll(await decodeAudio(clip, { workDir: await temporaryFolder() }))
  await writeWav(join(workDir, 'call.wav'), [left, left.map((_, at) => right[at] ?? 0)])
  return decodeAudio(join(workDir, 'call.wav'), { workDir })
}

async function transcribe(decoded: DecodedAudio, options: Partial<TranscribeOptions> = {}) {
  return transcribeRecording(decoded, { model: whisperBaseOnnxModel(), language: 'en', threads: 1, ...options })
}

/** Returns the speaker of each turn. */
function turnsOf(segments: Segment[]) {
  return segments.map(({ speaker }) => speaker).filter((speaker, index, all) => speaker !== all[index - 1])
}

const [a, b, c] = ['Speaker A', 'Speaker B', 'Speaker C']

describe.skipIf(lacks('whisperOnnx', 'recordings'))('voices of people', () => {
  test.skipIf(lacks('readers', 'ffmpeg'))('three on one channel are three speakers, turn by turn', async () => {
    const result = await transcribe(await decodeThreeVoices(), { speakerCount: 3 })
    expect(turnsOf(result.segments)).toEqual([a, b, c, a, b, c, a])
    expect(result).toMatchObject({ num_speakers: 3, speaker_separation: { by: 'voices', band: 'telephone' } })
  })

  test.skipIf(lacks('readers', 'ffmpeg'))('a channel with three voices is split on request', async () => {
    const decoded = await decodeSharedChannel()
    const split = await transcribe(decoded, { splitVoices: [true, false] })
    const ofChannel = (channel: number) => split.segments.filter((segment) => segment.channel === channel)
    // The main speaker has the channel's label. The benchmark measures the estimated number of voices, not this test.
    expect(turnsOf(ofChannel(0)).slice(0, 2)).toEqual([a, c])
    expect(turnsOf(ofChannel(1))).toEqual([b])
    const speakers = split.speaker_transcriptions.map(({ speaker, channel }) => [speaker, channel])
    expect(speakers.slice(0, 3)).toEqual([
      [a, 0],
      [b, 1],
      [c, 0],
    ])
    expect(split).toMatchObject({ num_speakers: speakers.length, speaker_separation: { by: 'voices' } })
    const whole = await transcribe(await decodeSharedChannel({ turns: 2 }))
    expect(whole).toMatchObject({ num_speakers: 2, speaker_separation: { by: 'channels' } })
  })
})
