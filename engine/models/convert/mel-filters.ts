const sampleRate = 16_000
const fftSize = 400
/** Number of frequencies in a spectrum of `fftSize` samples. */
export const melFilterBins = fftSize / 2 + 1

/** Slaney's scale is linear below this frequency and logarithmic above. */
const breakHz = 1000
const linearHzPerMel = 200 / 3
const breakMel = breakHz / linearHzPerMel
const logStep = Math.log(6.4) / 27

/**
 * Returns the mel filters with which Whisper was trained, one row per band: triangles on Slaney's scale, all of the same area
 * (`librosa.filters.mel(sr=16000, n_fft=400, n_mels=bands)`, OpenAI's mel_filters.npz).
 */
export function createMelFilters(bands: number): Float32Array {
  const topMel = breakMel + Math.log(sampleRate / 2 / breakHz) / logStep
  const edges = Array.from({ length: bands + 2 }, (_, index) =>
    // The last edge is exact: a rounded product would leave a value at the highest frequency.
    toHz(index > bands ? topMel : (topMel / (bands + 1)) * index),
  )
  const filters = new Float32Array(bands * melFilterBins)
  for (let band = 0; band < bands; band += 1) {
    const [low = 0, peak = 0, high = 0] = edges.slice(band, band + 3)
    for (let bin = 0; bin < melFilterBins; bin += 1) {
      const hz = (bin * sampleRate) / fftSize
      const height = Math.max(0, Math.min((hz - low) / (peak - low), (high - hz) / (high - peak)))
      // Rounded twice, because librosa keeps the triangle in single precision before it scales it.
      filters[band * melFilterBins + bin] = Math.fround(height) * (2 / (high - low))
    }
  }
  return filters
}

function toHz(mel: number): number {
  return mel < breakMel ? mel * linearHzPerMel : breakHz * Math.exp((mel - breakMel) * logStep)
}
