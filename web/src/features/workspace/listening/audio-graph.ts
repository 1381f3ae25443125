import type { Sound } from './sound.ts'

/** Gain changes take this long, so that they do not click. */
const rampSeconds = 0.01
const telephoneHz = { low: 300, high: 3400 }
/** Below speech: hum, wind, handling. */
const rumbleHz = 100
/** A passage below this share of full scale is lowered to a tenth; one twice as loud is left unchanged. */
const noiseLevel = 0.012
const noiseFloor = 0.1
/** The cutoff for smoothing the measured level; the sound is delayed while the level is measured. */
const levelHz = 12
const lookaheadSeconds = 0.02
/** The measured level is scaled up before the lookup, since the points of the curve span -1 to 1. */
const levelScale = 16
const curvePoints = 4097

export interface AudioGraph {
  /** Changes what is heard, also during playback. */
  apply(sound: Sound): void
  /** Resumes the sound if the browser has suspended it. */
  resume(): void
  close(): void
}

/**
 * Puts a graph between an `<audio>` element and the speakers; from then on the element is only heard through it. Each channel has a gain
 * and a stereo position; filters and compressors are connected only while they are on.
 */
export function createAudioGraph(context: AudioContext, element: HTMLMediaElement, channelCount: number): AudioGraph {
  const source = context.createMediaElementSource(element)
  const splitter = context.createChannelSplitter(channelCount)
  const channels = Array.from({ length: channelCount }, (_, channel) => createChannel(context, splitter, channel))
  const sum = context.createGain()
  const boost = context.createGain()
  const lowCut = createFilter(context, 'highpass', telephoneHz.low)
  const highCut = createFilter(context, 'lowpass', telephoneHz.high)
  const evener = createCompressor(context, { threshold: -45, knee: 20, ratio: 8, attack: 0.005, release: 0.2 })
  const limiter = createCompressor(context, { threshold: -3, knee: 0, ratio: 20, attack: 0.002, release: 0.1 })
  const ceiling = createShaper(context, softCeiling)
  source.connect(splitter)
  let connected = ''

  function connect({ isDenoised, isTelephone, isEvened, boostDb }: Sound) {
    const wanted = [isDenoised, isTelephone, isEvened, boostDb > 0].join()
    if (wanted === connected) return
    connected = wanted
    for (const node of [sum, boost, lowCut, highCut, evener, limiter, ceiling]) node.disconnect()
    for (const channel of channels) channel.connect(sum, isDenoised)
    const chain: AudioNode[] = [
      sum,
      ...(isTelephone ? [lowCut, highCut] : []),
      ...(isEvened ? [evener] : []),
      boost,
      // Amplified sound must not clip at full scale.
      ...(isEvened || boostDb > 0 ? [limiter, ceiling] : []),
      context.destination,
    ]
    for (const [index, node] of chain.entries()) {
      const next = chain[index + 1]
      if (next) node.connect(next)
    }
  }

  return {
    apply(sound) {
      connect(sound)
      const now = context.currentTime
      boost.gain.setTargetAtTime(10 ** (sound.boostDb / 20), now, rampSeconds)
      for (const [index, { gain, pan }] of sound.channels.entries()) channels[index]?.set(gain, pan)
    },
    resume() {
      if (context.state === 'suspended') void context.resume()
    },
    close: () => void context.close(),
  }
}

/** Creates the path of one channel: a gain, a stereo position, and a noise gate that can be inserted. */
function createChannel(context: AudioContext, splitter: ChannelSplitterNode, index: number) {
  const gain = context.createGain()
  const panner = context.createStereoPanner()
  const gate = createNoiseGate(context)
  const isOnly = splitter.numberOfOutputs === 1
  // A panner makes the center 3 dB quieter, so a single channel bypasses it to stay as loud as in the file.
  const end = isOnly ? gain : panner
  if (!isOnly) gain.connect(panner)

  return {
    connect(target: AudioNode, isDenoised: boolean) {
      end.disconnect()
      end.connect(target)
      gate.output.disconnect()
      splitter.disconnect(index)
      splitter.connect(isDenoised ? gate.input : gain, index)
      if (isDenoised) gate.output.connect(gain)
    },
    set(volume: number, pan: number) {
      gain.gain.setTargetAtTime(volume, context.currentTime, rampSeconds)
      panner.pan.setTargetAtTime(pan, context.currentTime, rampSeconds)
    },
  }
}

/**
 * Lowers sound that is quieter than speech: a curve maps the level, which is the rectified and smoothed signal, to the gain of the same
 * sound, delayed by a moment. Made of nodes that every browser has, so that no script runs per sample.
 */
function createNoiseGate(context: AudioContext): { input: AudioNode; output: AudioNode } {
  const input = createFilter(context, 'highpass', rumbleHz)
  const delay = context.createDelay(0.1)
  delay.delayTime.value = lookaheadSeconds
  const output = context.createGain()
  output.gain.value = 0
  const rectifier = createShaper(context, (value) => Math.abs(value))
  const smoother = createFilter(context, 'lowpass', levelHz)
  const scale = context.createGain()
  scale.gain.value = levelScale
  const lookUp = createShaper(context, (value) => gateGain(value / levelScale))
  input.connect(delay).connect(output)
  input.connect(rectifier).connect(smoother).connect(scale).connect(lookUp).connect(output.gain)
  return { input, output }
}

/** Returns the gain for a level: a tenth below the noise level, 1 above twice that, smooth in between. */
export function gateGain(level: number): number {
  const share = Math.min(1, Math.max(0, level / noiseLevel - 1))
  return noiseFloor + (1 - noiseFloor) * share * share * (3 - 2 * share)
}

/** Bends peaks below full scale, starting at three quarters of it, for the moment that a limiter takes to react. */
function softCeiling(value: number): number {
  const over = Math.abs(value) - 0.75
  return over <= 0 ? value : Math.sign(value) * (0.75 + over * (1 - over))
}

function createShaper(context: AudioContext, shape: (value: number) => number): WaveShaperNode {
  const shaper = context.createWaveShaper()
  shaper.curve = Float32Array.from({ length: curvePoints }, (_, at) => shape((2 * at) / (curvePoints - 1) - 1))
  return shaper
}

function createFilter(context: AudioContext, type: BiquadFilterType, hz: number): BiquadFilterNode {
  const filter = context.createBiquadFilter()
  filter.type = type
  filter.frequency.value = hz
  return filter
}

function createCompressor(
  context: AudioContext,
  settings: Record<'threshold' | 'knee' | 'ratio' | 'attack' | 'release', number>,
): DynamicsCompressorNode {
  const compressor = context.createDynamicsCompressor()
  for (const name of ['threshold', 'knee', 'ratio', 'attack', 'release'] as const) {
    compressor[name].value = settings[name]
  }
  return compressor
}
