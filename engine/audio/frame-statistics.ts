import { frameSamples, sampleRate } from './decoded-audio.ts'

/** Statistics of a whole recording, in the shapes of DecodedAudio. */
export interface FrameStatistics {
  /** Samples per channel. */
  sampleCount: number
  frames: Float32Array[]
  peaks: Float32Array[]
  correlation: number | null
  isDualMono: boolean
}

interface ChannelState {
  rms: Float32Array
  peaks: Float32Array
  /** The filtered samples of the current run. */
  filtered: Float64Array
  previousIn: number
  previousOut: number
  frameEnergy: number
  framePeak: number
  energy: number
}

// Coefficient of a first-order high-pass at 100 Hz: a DC offset and mains hum would otherwise count as loudness.
const highPass = 1 / (1 + (2 * Math.PI * 100) / sampleRate)
const dualMonoCorrelation = 0.98
// 3 dB: a faint copy on the other channel is crosstalk in a call, not mono saved as stereo.
const dualMonoEnergyRatio = 2

/** Computes RMS and peak of each 20 ms frame and the correlation of the channels from a stream of samples. Memory grows with each frame. */
export function createFrameStatistics(channelCount: number): {
  /** Adds interleaved samples in whole blocks (one sample per channel). */
  add(samples: Int16Array): void
  finish(): FrameStatistics
} {
  const channels = Array.from({ length: channelCount }, createChannel)
  let sampleCount = 0
  let frameIndex = 0
  let inFrame = 0
  let crossEnergy = 0

  function endFrame(): void {
    for (const channel of channels) storeFrame(channel, frameIndex)
    frameIndex += 1
    inFrame = 0
  }

  return {
    add(samples) {
      const blockCount = samples.length / channelCount
      for (let block = 0; block < blockCount;) {
        const count = Math.min(frameSamples - inFrame, blockCount - block)
        for (const [index, channel] of channels.entries())
          addRun(channel, samples, { start: block * channelCount + index, step: channelCount, count })
        crossEnergy = addProducts(crossEnergy, channels, count)
        block += count
        sampleCount += count
        inFrame += count
        if (inFrame === frameSamples) endFrame()
      }
    },
    finish() {
      // A last frame shorter than 20 ms is dropped, so that no frame ends beyond the recording.
      return {
        sampleCount,
        frames: channels.map((channel) => channel.rms.slice(0, frameIndex)),
        peaks: channels.map((channel) => channel.peaks.slice(0, frameIndex)),
        ...compareChannels(channels, crossEnergy),
      }
    },
  }
}

function createChannel(): ChannelState {
  return {
    rms: new Float32Array(1024),
    peaks: new Float32Array(1024),
    filtered: new Float64Array(frameSamples),
    previousIn: 0,
    previousOut: 0,
    frameEnergy: 0,
    framePeak: 0,
    energy: 0,
  }
}

/** Adds every `step`th sample, at most to the end of the frame. This loop runs 58 million times per channel and hour of audio. */
function addRun(
  channel: ChannelState,
  samples: Int16Array,
  { start, step, count }: { start: number; step: number; count: number },
): void {
  const { filtered } = channel
  let { previousIn, previousOut, frameEnergy, framePeak } = channel
  for (let index = 0; index < count; index += 1) {
    const sample = (samples[start + index * step] ?? 0) / 32768
    previousOut = highPass * (previousOut + sample - previousIn)
    previousIn = sample
    frameEnergy += previousOut * previousOut
    const size = sample < 0 ? -sample : sample
    if (size > framePeak) framePeak = size
    filtered[index] = previousOut
  }
  channel.previousIn = previousIn
  channel.previousOut = previousOut
  channel.frameEnergy = frameEnergy
  channel.framePeak = framePeak
}

function addProducts(sum: number, [left, right]: ChannelState[], count: number): number {
  if (!left || !right) return sum
  let total = sum
  for (let index = 0; index < count; index += 1) total += (left.filtered[index] ?? 0) * (right.filtered[index] ?? 0)
  return total
}

function storeFrame(channel: ChannelState, index: number): void {
  if (index >= channel.rms.length) {
    channel.rms = growTwofold(channel.rms)
    channel.peaks = growTwofold(channel.peaks)
  }
  channel.rms[index] = Math.sqrt(channel.frameEnergy / frameSamples)
  channel.peaks[index] = channel.framePeak
  channel.energy += channel.frameEnergy
  channel.frameEnergy = 0
  channel.framePeak = 0
}

function growTwofold(values: Float32Array): Float32Array {
  const larger = new Float32Array(values.length * 2)
  larger.set(values)
  return larger
}

function compareChannels(
  channels: ChannelState[],
  crossEnergy: number,
): Pick<FrameStatistics, 'correlation' | 'isDualMono'> {
  const [left, right] = channels
  if (!left || !right || left.energy === 0 || right.energy === 0) return { correlation: null, isDualMono: false }
  const correlation = Math.max(-1, Math.min(1, crossEnergy / Math.sqrt(left.energy * right.energy)))
  const ratio = Math.max(left.energy, right.energy) / Math.min(left.energy, right.energy)
  // The absolute value: a channel with inverted polarity still carries the same sound.
  return { correlation, isDualMono: Math.abs(correlation) >= dualMonoCorrelation && ratio <= dualMonoEnergyRatio }
}
