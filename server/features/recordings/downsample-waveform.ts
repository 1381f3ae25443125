import type { Waveform } from '#data/recordings/waveforms.ts'

/** Seconds from the start of the recording. */
interface TimeRange {
  from: number
  to: number
}

/**
 * Returns the heights between two times as `bins` bytes per channel, each the largest in its bin. Every height in the range falls into a
 * bin; bins narrower than the waveform's repeat its heights, and bins after its end are 0.
 */
export function downsampleWaveform(
  { binMs, channels }: Waveform,
  { from, to }: TimeRange,
  bins: number,
): Uint8Array<ArrayBuffer>[] {
  // Rounded to a thousandth of a bin: 0.06 s at 20 ms are three bins, although 0.06 / 0.02 is slightly more.
  const edge = (bin: number) => Math.round(((from + ((to - from) * bin) / bins) * 1_000_000) / binMs) / 1000
  const edges = Array.from({ length: bins + 1 }, (_, bin) => edge(bin))
  return channels.map((heights) => {
    const downsampled = new Uint8Array(bins)
    for (let bin = 0; bin < bins; bin += 1) {
      const start = Math.floor(edges[bin] ?? 0)
      downsampled[bin] = largest(heights, start, Math.max(start + 1, Math.floor(endOf(edges, bin))))
    }
    return downsampled
  })
}

/** The last bin includes all of the height in which the range ends. */
function endOf(edges: number[], bin: number): number {
  const end = edges[bin + 1] ?? 0
  return bin === edges.length - 2 ? Math.ceil(end) : end
}

function largest(heights: Uint8Array, start: number, end: number): number {
  let found = 0
  for (let at = start; at < Math.min(end, heights.length); at += 1) found = Math.max(found, heights[at] ?? 0)
  return found
}
