import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { findSpeechModel } from '#engine/models/catalog.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { childPids, decodeSampleCall, assertNoWhisperRunning, whisperPids } from './testing/sample-call.ts'
import type { SampleLine } from './testing/sample-call.ts'
import { transcribeRecording } from './transcribe.ts'
import type { TranscribeOptions } from './transcribe.ts'

let call: DecodedAudio
let lines: SampleLine[]

beforeEach(async () => {
  const sample = await decodeSampleCall(await temporaryFolder(), { lineCount: 6 })
  call = sample.decoded
  lines = sample.lines
})

afterEach(assertNoWhisperRunning)

async function transcribe(options: Partial<TranscribeOptions> = {}): Promise<TranscriptionResult> {
  const model = await findSpeechModel('demo-speech')
  return transcribeRecording(call, { language: ['ps', 'en'], model, threads: 1, ...options })
}

test('a passage that crashes the engine twice is skipped with a warning, the rest is transcribed', async () => {
  const killer = killWhisper()
  onTestFinished(killer.stop)
  const result = await transcribe({
    onProgress: ({ current_segment }) => (current_segment === 3 ? killer.start() : killer.stop()),
  })
  expect(result.segments.map(({ text }) => text)).toEqual(
    lines.filter((_, index) => index !== 3).map(({ text }) => text),
  )
  expect(result.warnings).toContainEqual({
    code: 'window_failed',
    message: 'The passage of Speaker B from 0:07 to 0:09 could not be transcribed.',
    start: expect.closeTo(7.3, 1),
    end: expect.closeTo(8.3, 0),
    channel: 1,
  })
})

test('killing the speech engine once while it decodes does not change the result', async () => {
  const killed: number[] = []
  const result = await transcribe({
    language: 'auto',
    onProgress: ({ current_segment }) => {
      if (current_segment !== 2) return
      // The next window is requested in this turn of the event loop.
      setImmediate(() => {
        for (const pid of whisperPids()) killed.push(pid)
        for (const pid of killed) process.kill(pid, 'SIGKILL')
      })
    },
  })
  expect(killed).toHaveLength(1)
  expect(result.segments.map(({ text }) => text)).toEqual(lines.map(({ text }) => text))
  expect(result.warnings.map(({ code }) => code)).toEqual(['demo_model'])
})

test.each<[string, string, number]>([
  ['the detector', 'detector-child.ts', 0],
  ['the speech engine while it loads', 'whisper-child.ts', 0],
  ['the speech engine while it detects the language', 'whisper-child.ts', 400],
])('killing %s once does not change the result', async (_, script, afterMs) => {
  let isKilled = false
  const timer = setInterval(() => {
    const [pid] = childPids(script)
    if (pid === undefined || isKilled) return
    isKilled = true
    setTimeout(() => {
      for (const running of childPids(script)) process.kill(running, 'SIGKILL')
    }, afterMs)
  }, 5)
  onTestFinished(() => clearInterval(timer))
  const result = await transcribe({ language: 'auto' })
  expect(isKilled).toBe(true)
  expect(result.segments.map(({ text }) => text)).toEqual(lines.map(({ text }) => text))
  expect(result.warnings.map(({ code }) => code)).toEqual(['demo_model'])
})

test('an engine that dies on every window fails the transcription with a message', async () => {
  const killer = killWhisper()
  onTestFinished(killer.stop)
  killer.start()
  await expect(transcribe()).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('The speech engine stopped'),
  })
})

/** Repeatedly kills every Whisper child of this process between start and stop. */
function killWhisper() {
  let timer: NodeJS.Timeout | undefined
  const killAll = () => {
    for (const pid of whisperPids()) process.kill(pid, 'SIGKILL')
  }
  const stop = () => clearInterval(timer)
  return {
    start() {
      stop()
      // At once, before the next window is requested.
      killAll()
      timer = setInterval(killAll, 5)
    },
    stop,
  }
}
