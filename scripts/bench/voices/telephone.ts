import { testRate } from '#testing/audio.ts'

const band = { lowHz: 300, highHz: 3400 }
/** Long enough for transition bands of about 100 Hz. */
const tapCount = 511

/** Returns the sound limited to the telephone band, 300 to 3400 Hz, without delay: times stay unchanged. */
export function toTelephoneBand(samples: Float32Array): Float32Array {
  const half = (tapCount - 1) / 2
  const filtered = new Float32Array(samples.length)
  for (let at = 0; at < samples.length; at += 1) {
    const from = Math.max(0, at - half)
    const to = Math.min(samples.length - 1, at + half)
    let sum = 0
    for (let k = from; k <= to; k += 1) sum += (samples[k] ?? 0) * (taps[k - at + half] ?? 0)
    filtered[at] = sum
  }
  return filtered
}

/** Returns every second sample, at 8 kHz. The sound must already be limited to below 4 kHz. */
export function halveRate(samples: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.ceil(samples.length / 2) }, (_, at) => samples[at * 2] ?? 0)
}

/** Windowed-sinc band-pass (Blackman): the difference of two low-pass filters. */
const taps = Float32Array.from({ length: tapCount }, (_, index) => {
  const k = index - (tapCount - 1) / 2
  const lowPass = (hz: number) =>
    k === 0 ? (2 * hz) / testRate : Math.sin((2 * Math.PI * hz * k) / testRate) / (Math.PI * k)
  const phase = (2 * Math.PI * index) / (tapCount - 1)
  const blackman = 0.42 - 0.5 * Math.cos(phase) + 0.08 * Math.cos(2 * phase)
  return (lowPass(band.highHz) - lowPass(band.lowHz)) * blackman
})

export interface VoiceSpan {
  startMs: number
  endMs: number
}

const frameMs = 10
/** A frame is voiced when its level is less than this below the loudest frame … */
const belowPeakDb = 35
/** … and at least this above the recording's noise (the level below which a tenth of its frames lie). */
const aboveNoiseDb = 10
/** A shorter sound is a click. */
const minVoiceMs = 40

/** Returns start and end of the voice in a clip to 10 ms, judged only by level, independently of the detectors being measured. */
export function findVoice(samples: Float32Array): VoiceSpan {
  const stretches = findVoiceStretches(samples, { joinMs: Number.POSITIVE_INFINITY })
  return stretches[0] ?? { startMs: 0, endMs: Math.floor((samples.length * 1000) / testRate / frameMs) * frameMs }
}

/** Returns the voiced passages between pauses of at least `joinMs`, judged only by level as in findVoice. */
export function findVoiceStretches(samples: Float32Array, { joinMs }: { joinMs: number }): VoiceSpan[] {
  const frame = (frameMs * testRate) / 1000
  const levels = Array.from({ length: Math.floor(samples.length / frame) }, (_, index) => {
    const energy = samples.subarray(index * frame, (index + 1) * frame).reduce((sum, value) => sum + value * value, 0)
    return 10 * Math.log10(energy / frame + 1e-10)
  })
  const sorted = levels.toSorted((a, b) => a - b)
  const peak = sorted.at(-1) ?? 0
  const noise = sorted[Math.floor(levels.length / 10)] ?? 0
  const threshold = Math.max(peak - belowPeakDb, Math.min(noise + aboveNoiseDb, peak - 15))
  const minFrames = minVoiceMs / frameMs
  const stretches: VoiceSpan[] = []
  for (let index = 0; index + minFrames <= levels.length; index += 1) {
    if (levels.slice(index, index + minFrames).some((level) => level < threshold)) continue
    const [startMs, endMs] = [index * frameMs, (index + minFrames) * frameMs]
    const last = stretches.at(-1)
    if (last && startMs - last.endMs < joinMs) last.endMs = endMs
    else stretches.push({ startMs, endMs })
  }
  return stretches
}
