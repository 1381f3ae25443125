import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFrameStatistics } from '#engine/audio/frame-statistics.ts'
import { gainFor, spanOptions, vadPath } from '#engine/audio/detector/detect-speech.ts'
import { joinRuns } from '#engine/audio/detector/join-runs.ts'
import { removeBleed } from '#engine/audio/detector/remove-bleed.ts'
import { tightenSpans } from '#engine/audio/detector/tighten.ts'
import { openSilero } from '#engine/audio/detector/silero.ts'
import { createVoiceFinder } from '#engine/audio/detector/voice-finder.ts'
import { withFolder } from '../voices/clips.ts'
import type { Span } from '../voices/turns.ts'

const silero = openSilero(vadPath)

/**
 * Returns the speech of each channel as `detectSpeech` does, bleed taken out of two. In this process: hundreds of short files would
 * otherwise spend their time on starting detectors.
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
  const framesOf = (index: number) => frames[index] ?? new Float32Array()
  const finder = createVoiceFinder(await silero, samples.length)
  await finder.add(
    samples.map((channel, index) => {
      const gain = gainFor(framesOf(index))
      return channel.map((sample) => Math.max(-1, Math.min(1, sample * gain)))
    }),
  )
  const runs = await finder.finish()
  const spans = runs.map((list, index) => tightenSpans(joinRuns(list, spanOptions), framesOf(index)))
  if (spans.length < 2) return spans
  return withFolder(async (workDir) => {
    const pcmPath = join(workDir, 'pcm.s16le')
    await writeFile(pcmPath, blocks)
    return (await removeBleed({ pcmPath, frames }, spans, spanOptions)).spans
  })
}
