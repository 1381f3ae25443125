import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { TranscriptionProgress, TranscriptionResult } from '#contract/transcription.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { findSpeechModel } from '#engine/models/catalog.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import type { SavedSeparation, VoiceCheckpoint } from './separate-voices.ts'
import { childPids, assertNoWhisperRunning, writeMonoCall } from './testing/sample-call.ts'
import type { SampleLine } from './testing/sample-call.ts'
import { withoutCreationTime } from './testing/without-creation-time.ts'
import { transcribeRecording } from './transcribe.ts'
import type { TranscribeOptions } from './transcribe.ts'

/** Both channels of the sample call mixed to mono, so that its two voices take turns. */
let call: DecodedAudio
let lines: SampleLine[]

beforeEach(() => useCall())

/** Uses the call, or its first `lineCount` lines. */
async function useCall(lineCount?: number) {
  const workDir = await temporaryFolder()
  const mono = await writeMonoCall(workDir, { lineCount })
  call = await decodeAudio(mono.path, { workDir })
  lines = mono.lines
}

afterEach(assertNoWhisperRunning)

async function transcribe(options: Partial<TranscribeOptions> = {}): Promise<TranscriptionResult> {
  const model = { ...(await findSpeechModel('demo-speech')), oneSpanPerWindow: true }
  return transcribeRecording(call, { language: 'ps', model, threads: 1, ...options })
}

/** Interval of checking the processes: each runs for much longer, and listing all of them takes more than a millisecond. */
const pollMs = 40

/** Repeatedly kills every diarization process. */
function killSpeakerSearch(): { kills: () => number } {
  const killed = new Set<number>()
  const timer = setInterval(() => {
    for (const pid of childPids('speaker-child.ts')) {
      killed.add(pid)
      process.kill(pid, 'SIGKILL')
    }
  }, pollMs)
  onTestFinished(() => clearInterval(timer))
  return { kills: () => killed.size }
}

test('two voices on one channel are two speakers, also in the partial text', async () => {
  const seen: TranscriptionProgress[] = []
  const result = await transcribe({
    speakerCount: 2,
    onProgress: (progress) => seen.push(TranscriptionProgress.parse(progress)),
  })
  expect(() => TranscriptionResult.parse(result)).not.toThrow()
  expect(result.segments.map(({ speaker }) => speaker)).toEqual(lines.map(({ speaker }) => speaker))
  expect(result.segments.every(({ channel }) => channel === undefined)).toBe(true)
  expect(result).toMatchObject({ num_speakers: 2, speaker_separation: { by: 'voices' } })
  expect(
    result.speaker_transcriptions.map(({ speaker, channel, segment_count }) => [speaker, channel, segment_count]),
  ).toEqual([
    ['Speaker A', 0, 7],
    ['Speaker B', 0, 7],
  ])
  expect(result.transcription.split('\n')).toHaveLength(lines.length)

  const searching = seen.filter(({ stage }) => stage === 'speakers')
  expect(searching.at(-1)).toMatchObject({ current_segment: 100, total_segments: 100, partial_segments: [] })
  expect(seen.slice(0, searching.length)).toEqual(searching)
  expect(seen.at(-1)?.partial_segments.map(({ speaker }) => speaker)).toEqual(lines.map(({ speaker }) => speaker))
  expect(seen.find(({ current_segment, stage }) => !stage && current_segment === 1)?.latest_segment?.speaker).toBe(
    'Speaker A',
  )
})

test('a recording with one given speaker is not diarized', async () => {
  await useCall(4)
  const seen: TranscriptionProgress[] = []
  const result = await transcribe({ speakerCount: 1, onProgress: (progress) => seen.push(progress) })
  expect(seen.filter(({ stage }) => stage)).toEqual([])
  expect(result).toMatchObject({ num_speakers: 1, speaker_transcriptions: [{ speaker: 'Speaker A' }] })
  expect(result.segments.every(({ speaker }) => speaker === undefined)).toBe(true)
  expect(result.speaker_separation).toBeUndefined()
})

test('if diarization fails the transcript has no speakers, and a warning', async () => {
  await useCall(4)
  const { kills } = killSpeakerSearch()
  const failures: unknown[] = []
  const result = await transcribe({ speakerCount: 2, onSeparationFailure: (error) => failures.push(error) })
  expect(kills()).toBeGreaterThan(1)
  expect(result.segments).toHaveLength(lines.length)
  expect(result.segments.every(({ speaker }) => speaker === undefined)).toBe(true)
  expect(result.warnings).toContainEqual({
    code: 'speakers_not_separated',
    message: 'The voices could not be told apart, so the transcript has no speakers.',
  })
  expect(failures).toHaveLength(1)
})

test('a diarization process that dies once is restarted', async () => {
  await useCall(8)
  let isKilled = false
  const timer = setInterval(() => {
    const [pid] = childPids('speaker-child.ts')
    if (pid === undefined) return
    clearInterval(timer)
    isKilled = true
    process.kill(pid, 'SIGKILL')
  }, pollMs)
  onTestFinished(() => clearInterval(timer))
  const result = await transcribe({ speakerCount: 2 })
  expect(isKilled).toBe(true)
  expect(result).toMatchObject({ num_speakers: 2 })
})

test('cancelling during diarization rejects and leaves no process', async () => {
  const controller = new AbortController()
  const timer = setInterval(() => {
    if (childPids('speaker-child.ts').length > 0) controller.abort()
  }, pollMs)
  onTestFinished(() => clearInterval(timer))
  await expect(transcribe({ signal: controller.signal })).rejects.toMatchObject({ code: 'job_cancelled' })
  expect(childPids('speaker-child.ts')).toEqual([])
})

test('another attempt reuses the saved voices, but only for the same number of speakers', async () => {
  await useCall(8)
  const saved: SavedSeparation[] = []
  const voiceCheckpoint: VoiceCheckpoint = {
    load: async () => structuredClone(saved),
    save: async (voices) => void saved.push(structuredClone(voices)),
  }
  const first = await transcribe({ speakerCount: 2, voiceCheckpoint })
  expect(saved).toHaveLength(1)
  const { kills } = killSpeakerSearch()
  expect(withoutCreationTime(await transcribe({ speakerCount: 2, voiceCheckpoint }))).toEqual(
    withoutCreationTime(first),
  )
  expect(kills()).toBe(0)
  await transcribe({ speakerCount: 3, voiceCheckpoint })
  expect(kills()).toBeGreaterThan(0)
})
