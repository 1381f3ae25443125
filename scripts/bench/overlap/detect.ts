import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFrameStatistics } from '#engine/audio/frame-statistics.ts'
import { detectionGain, spanOptions, vadPath } from '#engine/audio/detector/detect-speech.ts'
import { joinRuns } from '#engine/audio/detector/join-runs.ts'
import { removeBleed } from '#engine/audio/detector/remove-bleed.ts'
import { tightenSpans } from '#engine/audio/detector/tighten.ts'
import { findVoice } from '#engine/audio/detector/voice-finder.ts'
import { loadVoiceNetwork } from '#engine/audio/detector/voice-network.ts'
import type { VoiceNetwork } from '#engine/audio/detector/voice-network.ts'
import { withFolder } from '../voices/clips.ts'
import type { Span } from '../voices/turns.ts'

let network: Promise<VoiceNetwork> | undefined

/**
 * Returns the speech of each channel as `detectSpeech` does, with bleed taken out if there are two. Runs in this process; otherwise
 * hundreds of short files would spend most of their time starting detectors.
 */
export async function detectInProcess(channels: readonly Float32Array[]): Promise<Span[][]> {
  const samples = channels.map((channel) => channel.map((sample) => Math.max(-1, Math.min(1, sample))))
  const blocks = new Int16Array((samples[0]?.length ?? 0) * samples.length)
  for (const [index, channel] of samples.entries()) {
    for (const [at, sample] of channel.entries()) blocks[at * samples.length + index] = Math.round(sample * 32_767)
  }
  const statistics = createFrameStatistics(samples.length)
  statistics.add(blocks)
  const { frames } = statistics.finish()
  network ??= loadVoiceNetwork(vadPath)
  const loaded = await network
  const spans = await Promise.all(
    samples.map(async (channel, index) => {
      const own = frames[index] ?? new Float32Array()
      const gain = detectionGain(own)
      const [runs = []] = await findVoice(loaded, {
        streamCount: 1,
        sampleCount: channel.length,
        read: (from, count) => [amplify(channel, gain, { from, count })],
      })
      return tightenSpans(joinRuns(runs, spanOptions), own)
    }),
  )
  if (spans.length < 2) return spans
  return withFolder(async (workDir) => {
    const pcmPath = join(workDir, 'pcm.s16le')
    await writeFile(pcmPath, blocks)
    return (await removeBleed({ pcmPath, frames }, spans, spanOptions)).spans
  })
}

/** Returns samples of a channel at another level, at most 1; zeros after its end. */
function amplify(channel: Float32Array, gain: number, { from, count }: { from: number; count: number }): Float32Array {
  const part = new Float32Array(count)
  for (let at = 0; at < count; at += 1) part[at] = Math.max(-1, Math.min(1, (channel[from + at] ?? 0) * gain))
  return part
}
