import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import type { SpeakerSearch } from './find-speakers.ts'
import type { SpeakerTurn } from './speaker-turns.ts'

/** Finds the turns in wide-band sound, where several people may speak at once, by sherpa-onnx's own diarization. */
export async function diarizeRoom({ child, source, spans, networks, options }: SpeakerSearch): Promise<SpeakerTurn[]> {
  const span = { startMs: 0, endMs: spans.at(-1)?.endMs ?? 0 }
  const settings = { threshold: networks.thresholds.room, voiceCount: options.voiceCount }
  const segments = await child.call('diarize', { ...source, span, settings }, { signal: options.signal })
  const turns = segments.map(({ start, end, speaker }) => ({
    startMs: Math.round(start * 1000),
    endMs: Math.round(end * 1000),
    voice: speaker,
  }))
  return keepWithin(turns, spans)
}

/** The parts of turns that lie in speech. */
function keepWithin(turns: SpeakerTurn[], spans: SpeechSpan[]): SpeakerTurn[] {
  return turns.flatMap((turn) =>
    spans.flatMap((span) => {
      const [startMs, endMs] = [Math.max(turn.startMs, span.startMs), Math.min(turn.endMs, span.endMs)]
      return endMs > startMs ? [{ startMs, endMs, voice: turn.voice }] : []
    }),
  )
}
