import { normalize } from './average-linkage.ts'
import { buildTurns } from './build-turns.ts'
import { clusterVoices } from './cluster-voices.ts'
import type { SpeakerSearch } from './find-speakers.ts'
import type { SpeakerProgress } from './speaker-child.ts'
import type { SpeakerTurn } from './speaker-turns.ts'
import { cutWindows } from './voice-window.ts'

/** Finds the turns in sound from a telephone: vectors of windows, clustered. Segmentation networks merge voices there. */
export async function diarizeTelephone(search: SpeakerSearch): Promise<SpeakerTurn[]> {
  const { child, source, spans, networks, options } = search
  const cut = cutWindows(spans)
  const vectors = await child.call(
    'embedWindows',
    { ...source, windows: cut },
    {
      signal: options.signal,
      onEvent: (share) => options.onProgress?.(share as SpeakerProgress), // all that the child emits
    },
  )
  const windows = cut.flatMap((window, index) => {
    const vector = vectors[index] && normalize(vectors[index])
    return vector ? [{ ...window, vector }] : []
  })
  const voices = clusterVoices(windows, { threshold: networks.thresholds.telephone, voiceCount: options.voiceCount })
  return buildTurns(spans, windows, voices)
}
