import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '#contract/app-error.ts'
import { TranscriptionProgress, TranscriptionResult } from '#contract/transcription.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { findSpeechModel } from '#engine/models/catalog.ts'
import { silence, writeWav } from '#testing/audio.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { decodeSampleCall, readWhole, whisperPids, type SampleLine } from './testing/sample-call.ts'
import { createSpeechBackendCache } from './speech-backend-cache.ts'
import { withoutCreationTime } from './testing/without-creation-time.ts'
import { transcribeRecording, type TranscribeOptions } from './transcribe.ts'
import type { Checkpoint, WindowResult } from './window-result.ts'

let call: DecodedAudio
let lines: SampleLine[]

/** Keeps one engine running for the tests that do not depend on its start or end. */
const warm = createSpeechBackendCache({ threads: 1 })
afterAll(() => warm.close())

beforeEach(() => useCall())

/** Uses the sample call, or its first `lineCount` lines. */
async function useCall(lineCount?: number) {
  const sample = await decodeSampleCall(await temporaryFolder(), { lineCount })
  call = sample.decoded
  lines = sample.lines
}

/** Transcribes with the demo model, one line of the call per window, so that windows can be counted. */
async function transcribe(
  decoded: DecodedAudio,
  options: Partial<TranscribeOptions> = {},
): Promise<TranscriptionResult> {
  const model = { ...(await findSpeechModel('demo-speech')), oneSpanPerWindow: true }
  return transcribeRecording(decoded, { language: ['ps', 'en'], model, backends: warm, ...options })
}

/** Transcribes with a separate engine, and asserts that it has exited afterwards. */
async function transcribeAlone(
  decoded: DecodedAudio,
  options: Partial<TranscribeOptions> = {},
): Promise<TranscriptionResult> {
  const running = whisperPids()
  try {
    return await transcribe(decoded, { ...options, backends: undefined, threads: 1 })
  } finally {
    expect(whisperPids()).toEqual(running)
  }
}

/** Builds a recording from channel 0 of the sample call. */
async function rebuildCall(build: (left: Float32Array) => Float32Array[]): Promise<DecodedAudio> {
  const left = await readWhole(call, 0)
  const workDir = await temporaryFolder()
  await writeWav(`${workDir}/call.wav`, build(left))
  return decodeAudio(`${workDir}/call.wav`, { workDir })
}

function memoryCheckpoint(): Checkpoint & { saved: WindowResult[] } {
  const saved: WindowResult[] = []
  return {
    saved,
    load: async () => structuredClone(saved),
    save: async (result) => void saved.push(structuredClone(result)),
  }
}

test.each<[string, TranscribeOptions['language']]>([
  ['a language for each channel', ['ps', 'en']],
  ['auto', 'auto'],
])('transcribes every line of the sample call with the correct speaker and time, with %s', async (_, language) => {
  const result = await transcribeAlone(call, { language })
  expect(() => TranscriptionResult.parse(result)).not.toThrow()
  expect(result.segments.map(({ speaker, channel, text }) => ({ speaker, channel, text }))).toEqual(
    lines.map(({ speaker, channel, text }) => ({ speaker, channel, text })),
  )
  for (const [index, { start, end }] of lines.entries()) {
    expect(Math.abs((result.segments[index]?.start ?? 0) - start)).toBeLessThan(0.15)
    expect(Math.abs((result.segments[index]?.end ?? 0) - end)).toBeLessThan(0.15)
  }
  expect(result).toMatchObject({ num_speakers: 2, model: 'demo-speech', duration: call.durationMs / 1000 })
  expect(
    result.speaker_transcriptions.map((speaker) => [speaker.speaker, speaker.detected_language, speaker.segment_count]),
  ).toEqual([
    ['Speaker A', 'ps', 7],
    ['Speaker B', 'en', 7],
  ])
  expect(result.warnings.map(({ code }) => code)).toEqual(['demo_model'])
})

/** Builds a recording of the first line of each speaker, both starting at the beginning. */
async function buildOverlap(build: (left: Float32Array, right: Float32Array) => Float32Array[]): Promise<DecodedAudio> {
  const [left, right] = await Promise.all(
    [0, 1].map(async (channel) => {
      const line = lines.find((candidate) => candidate.channel === channel)
      const samples = await readWhole(call, channel)
      return samples.slice((line?.start ?? 0) * 16_000, (line?.end ?? 0) * 16_000)
    }),
  )
  const workDir = await temporaryFolder()
  await writeWav(`${workDir}/call.wav`, build(left ?? silence(0), right ?? silence(0)))
  return decodeAudio(`${workDir}/call.wav`, { workDir })
}

test('two sentences spoken at once on two channels are both transcribed, without a warning', async () => {
  const result = await transcribe(await buildOverlap((left, right) => [left, right]))
  expect(result.segments.map(({ channel }) => channel).toSorted()).toEqual([0, 1])
  expect(result.speaker_transcriptions.map(({ transcription }) => transcription)).toEqual([
    lines.find(({ channel }) => channel === 0)?.text,
    lines.find(({ channel }) => channel === 1)?.text,
  ])
  expect(result.warnings.map(({ code }) => code)).toEqual(['demo_model'])
})

test('the voice of the other channel is left out with a warning that names its time', async () => {
  const pause = silence(600)
  const recording = await buildOverlap((left, right) => {
    const said = Float32Array.from([...pause, ...left, ...pause])
    const answer = Float32Array.from([...said.map((sample) => sample * 0.1), ...right, ...pause])
    return [said, answer]
  })
  const result = await transcribe(recording)
  expect(result.segments.map(({ channel }) => channel)).toEqual([0, 1])
  const warning = result.warnings.find(({ code }) => code === 'bleed')
  expect(warning).toMatchObject({
    channel: 1,
    message: expect.stringMatching(/^The right channel holds only the voice/),
  })
  expect(Math.abs((warning?.start ?? 0) - (result.segments[0]?.start ?? 0))).toBeLessThan(0.2)
  expect(Math.abs((warning?.end ?? 0) - (result.segments[0]?.end ?? 0))).toBeLessThan(0.2)
})

test('returns the probability of a detected language and none for a given one', async () => {
  await useCall(4)
  const detected = await transcribe(call, { language: ['auto', 'en'] })
  expect(detected.speaker_transcriptions[0]?.language_probability).toBeGreaterThan(0.9)
  expect(detected.speaker_transcriptions[1]?.language_probability).toBeNull()
})

test('reports the total first, then each window with the partial text in order of time', async () => {
  await useCall(6)
  const seen: TranscriptionProgress[] = []
  await transcribe(call, { onProgress: (progress) => seen.push(TranscriptionProgress.parse(progress)) })
  expect(seen.map(({ current_segment }) => current_segment)).toEqual([...Array(lines.length + 1).keys()])
  expect(seen.every(({ total_segments }) => total_segments === lines.length)).toBe(true)
  expect(seen[0]).toMatchObject({ latest_segment: null, partial_text: '' })
  expect(seen[2]).toMatchObject({
    detected_language: 'en',
    latest_segment: { text: lines[1]?.text, speaker: 'Speaker B', channel: 1 },
    partial_text: `${lines[0]?.text}\n${lines[1]?.text}`,
  })
})

test('resumes a cancelled attempt without repeating finished windows, with the same result', async () => {
  await useCall(8)
  const whole = await transcribe(call, { language: 'auto' })
  const checkpoint = memoryCheckpoint()
  const controller = new AbortController()
  const first = transcribeAlone(call, {
    language: 'auto',
    checkpoint,
    signal: controller.signal,
    onProgress: ({ current_segment }) => current_segment === 5 && controller.abort(),
  })
  await expect(first).rejects.toMatchObject({ code: 'job_cancelled' })
  expect(checkpoint.saved).toHaveLength(5)
  const second = await transcribe(call, { language: 'auto', checkpoint })
  expect(withoutCreationTime(second)).toEqual(withoutCreationTime(whole))
  expect(new Set(checkpoint.saved.map(({ key }) => key)).size).toBe(lines.length)
  expect(checkpoint.saved).toHaveLength(lines.length)
})

test('does not reuse a checkpoint of another language', async () => {
  await useCall(6)
  const checkpoint = memoryCheckpoint()
  await transcribe(call, { language: 'en', checkpoint })
  const before = checkpoint.saved.length
  const result = await transcribe(call, { checkpoint })
  expect(result.segments.map(({ text }) => text)).toEqual(lines.map(({ text }) => text))
  // The English channel is the same plan; the Pashto one is not.
  expect(checkpoint.saved.length - before).toBe(3)
})

test('an abort during transcription rejects within two seconds', async () => {
  const controller = new AbortController()
  let abortedAt = 0
  const work = transcribeAlone(call, {
    signal: controller.signal,
    onProgress: ({ current_segment }) => {
      if (current_segment !== 2) return
      abortedAt = performance.now()
      controller.abort()
    },
  })
  await expect(work).rejects.toMatchObject({ code: 'job_cancelled' })
  expect(performance.now() - abortedAt).toBeLessThan(2000)
})

test('mono saved as stereo is one speaker, with a warning', async () => {
  await useCall(6)
  const result = await transcribe(await rebuildCall((left) => [left, left]), { language: 'ps' })
  const own = lines.filter(({ channel }) => channel === 0)
  expect(result.segments.map(({ text }) => text)).toEqual(own.map(({ text }) => text))
  expect(result.segments.every(({ speaker, channel }) => speaker === undefined && channel === undefined)).toBe(true)
  expect(result.speaker_transcriptions.map(({ speaker }) => speaker)).toEqual(['Speaker A'])
  expect(result.num_speakers).toBe(1)
  expect(result.warnings.map(({ code }) => code)).toContain('dual_mono')
})

test('a mono recording is one speaker', async () => {
  await useCall(6)
  const result = await transcribe(await rebuildCall((left) => [left]), { language: 'auto' })
  expect(result).toMatchObject({ num_speakers: 1, detected_language: 'ps' })
  expect(result.transcription).toBe(
    lines
      .filter(({ channel }) => channel === 0)
      .map(({ text }) => text)
      .join(' '),
  )
  expect(result.warnings.map(({ code }) => code)).toEqual(['demo_model'])
})

test('a silent channel is a speaker without segments', async () => {
  const result = await transcribe(
    await rebuildCall((left) => [silence(call.durationMs).subarray(0, left.length), left]),
    { language: 'auto' },
  )
  expect(result.num_speakers).toBe(1)
  expect(
    result.speaker_transcriptions.map(({ segment_count, detected_language }) => [segment_count, detected_language]),
  ).toEqual([
    [0, null],
    [7, 'ps'],
  ])
})

test('two languages in one channel are detected per window, and each line is transcribed in its own', async () => {
  const right = await readWhole(call, 1)
  const mixed = await rebuildCall((left) => [left.map((sample, at) => sample + (right[at] ?? 0))])
  const result = await transcribe(mixed, { language: 'multi' })
  const detected = result.segments.map(({ text, language }) => ({
    text,
    language: language ?? result.detected_language,
  }))
  const said = lines.map(({ text, language }) => ({ text, language }))
  // The demo model detects the other language for a line or two of the mixed audio.
  expect(detected.filter(({ language }, index) => language === said[index]?.language).length).toBeGreaterThanOrEqual(11)
  expect(
    detected.filter(({ text, language }) => said.some((line) => line.text === text && line.language === language))
      .length,
  ).toBeGreaterThanOrEqual(11)
  expect(new Set(detected.map(({ language }) => language))).toEqual(new Set(['ps', 'en']))
})

test('names that a model does not know do not change the transcript', async () => {
  await useCall(6)
  const { segments } = await transcribe(call, { names: ['Ahmad', 'Kandahar'] })
  expect(segments.map(({ text }) => text)).toEqual(lines.map(({ text }) => text))
})

test('every word has a time inside its line and a confidence', async () => {
  const { segments } = await transcribe(call)
  for (const { start, end, text, words = [], confidence = 0 } of segments) {
    expect(words.map((word) => word.text).join(' ')).toBe(text)
    expect(words.every((word) => word.start >= start - 0.05 && word.end <= end + 0.05)).toBe(true)
    expect(confidence).toBeGreaterThan(0.5)
  }
})

test('silence has an empty result and starts no engine', async () => {
  const onProgress = vi.fn<NonNullable<TranscribeOptions['onProgress']>>()
  const result = await transcribeAlone(await rebuildCall(() => [silence(20_000)]), { language: 'auto', onProgress })
  expect(result).toMatchObject({ transcription: '', segments: [], num_speakers: 0, detected_language: null })
  expect(result.warnings.map(({ code }) => code)).toEqual(['no_speech'])
  expect(onProgress).toHaveBeenCalledTimes(1)
})

test('rejects a language that the model does not support', async () => {
  const model = await findSpeechModel('demo-speech')
  const english = { ...model, name: 'English only', languages: ['en'] }
  await expect(transcribeAlone(call, { model: english, language: 'ps' })).rejects.toMatchObject({
    code: 'unsupported_language',
    message: 'The speech model English only does not know Pashto.',
  })
})

test('a detected language whose own model cannot be used is not transcribed by another model', async () => {
  const error = new AppError('model_unavailable', 'The model Our Pashto is not installed.')
  await expect(transcribeAlone(call, { language: 'auto', languageErrors: { ps: error } })).rejects.toBe(error)
})

test('uses the model that was chosen for a language', async () => {
  await useCall(6)
  const model = { ...(await findSpeechModel('demo-speech')), oneSpanPerWindow: true, id: 'our-pashto' }
  const result = await transcribeAlone(call, { modelsByLanguage: { ps: model } })
  expect(result.model).toBe('our-pashto, demo-speech')
  expect(result.segments.map(({ text }) => text)).toEqual(lines.map(({ text }) => text))
})
