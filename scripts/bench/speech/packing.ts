import { join } from 'node:path'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { detectSpeech } from '#engine/audio/speech-detector.ts'
import type { SpeechSpan } from '#engine/audio/speech-detector.ts'
import { packWindows, readWindow } from '#engine/audio/windows.ts'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { startWhisper } from '#engine/speech/whisper.ts'
import type { Whisper } from '#engine/speech/whisper.ts'
import { silence } from '#testing/audio.ts'
import { speakCallVoices, writeCall } from '../call-audio.ts'
import type { CallVoices } from '../call-audio.ts'

const wholeMs = 30_000
/** What Whisper writes a second of English speech: 150 words a minute, 1.3 tokens a word. */
const tokensPerSpeechSecond = 3.25

export interface PackingFigures {
  windows: { whole: number; packed: number }
  /** CPU time of Whisper's process; that of finding speech and packing is in `packed`. */
  cpuMs: { whole: number; packed: number }
  /** Share of the channels' time that is speech. */
  speechShare: number
}

interface Heard {
  channel: number
  window: SpeechWindow
  speechMs: number
}

/**
 * CPU time for a generated call of `minutes` whose channels are each half silent: every 30 s of each channel against windows packed from
 * its speech, on one thread. The call is halved and the ways take turns: whole, packed, whole, packed.
 */
export async function measurePacking(
  model: SpeechModel,
  { minutes, workDir, onProgress }: { minutes: number; workDir: string; onProgress: (text: string) => void },
): Promise<PackingFigures> {
  onProgress('generating the call')
  await writeCall(join(workDir, 'call.wav'), { minutes, voices: longUtterances(await speakCallVoices()) })
  const decoded = await decodeAudio(join(workDir, 'call.wav'), { workDir })
  const ownCpu = process.cpuUsage()
  const spans = decoded.frames.map((frames, channel) => detectSpeech(frames, { other: decoded.frames[1 - channel] }))
  const packed = spans.flatMap((own, channel) => packChannel(own, channel, decoded))
  const { user, system } = process.cpuUsage(ownCpu)
  const whole = spans.flatMap((own, channel) => wholeWindows(own, channel, decoded.durationMs))
  const cpuMs = { whole: 0, packed: (user + system) / 1000 }
  const whisper = await startWhisper({ model, threads: () => 1 })
  try {
    await whisper.transcribe(new Float32Array(16_000), { language: 'en', maxTokens: 1 })
    for (const half of [0, 1]) {
      for (const [name, windows] of [
        ['whole', whole],
        ['packed', packed],
      ] as const) {
        const part = windows.filter((_, index) => Math.floor((index * 2) / windows.length) === half)
        cpuMs[name] += await hear(whisper, decoded, part)
        onProgress(`${name}, half ${half + 1} of 2: ${(cpuMs[name] / 1000).toFixed(1)} s so far`)
      }
    }
  } finally {
    await whisper.close()
  }
  const speechMs = spans.flat().reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  return {
    windows: { whole: whole.length, packed: packed.length },
    cpuMs,
    speechShare: speechMs / (decoded.durationMs * 2),
  }
}

/** Five sentences a breath: with a pause after each short one, a speaker would be silent for much more than half of the call. */
function longUtterances(voices: CallVoices): CallVoices {
  const join = (sentences: Float32Array[]) => {
    const parts = sentences.flatMap((sentence) => [...sentence, ...silence(150)])
    return Float32Array.from(parts)
  }
  const [a, b] = voices.map((voice) => [join(voice.slice(0, 5)), join(voice.slice(5))])
  return [a ?? [], b ?? []]
}

function packChannel(spans: SpeechSpan[], channel: number, decoded: DecodedAudio): Heard[] {
  const frames = decoded.frames[channel] ?? new Float32Array()
  return packWindows(spans, { frames, maxWindowMs: wholeMs, oneSpanPerWindow: false }).map((window) => ({
    channel,
    window,
    speechMs: window.pieces.reduce((sum, { speechStartMs, speechEndMs }) => sum + speechEndMs - speechStartMs, 0),
  }))
}

function wholeWindows(spans: SpeechSpan[], channel: number, durationMs: number): Heard[] {
  return Array.from({ length: Math.ceil(durationMs / wholeMs) }, (_, index) => {
    const startMs = index * wholeMs
    const endMs = Math.min(durationMs, startMs + wholeMs)
    const piece = {
      sourceStartMs: startMs,
      sourceEndMs: endMs,
      windowStartMs: 0,
      speechStartMs: startMs,
      speechEndMs: endMs,
    }
    const speechMs = spans.reduce(
      (sum, span) => sum + Math.max(0, Math.min(span.endMs, endMs) - Math.max(span.startMs, startMs)),
      0,
    )
    return { channel, window: { pieces: [piece], durationMs: endMs - startMs }, speechMs }
  })
}

/** Has Whisper hear the windows, as many tokens as their speech has, and answers its CPU time in milliseconds. */
async function hear(whisper: Whisper, decoded: DecodedAudio, windows: Heard[]): Promise<number> {
  const before = whisper.cpuMs()
  for (const { channel, window, speechMs } of windows) {
    const maxTokens = Math.max(1, Math.round((speechMs / 1000) * tokensPerSpeechSecond))
    await whisper.transcribe(await readWindow(decoded, channel, window), { language: 'en', maxTokens })
  }
  return whisper.cpuMs() - before
}
